// prints: sums 496 496, left behind 31, then 31, freed by another graph; some kept, then 0 bytes; 16 calls do as CUDA says
#include <cstdio>

__global__ void count_up(int* x) { x[threadIdx.x] = threadIdx.x; }
__global__ void add_up(const int* x, int* sum) {
    *sum = 0;
    for (int i = 0; i < 32; i++) *sum += x[i];
}

static int as_wanted = 0;
static void wants(cudaError_t wanted, cudaError_t got, int line) {
    as_wanted += got == wanted;
    if (got != wanted) printf("line %d: %s\n", line, cudaGetErrorName(got));
    cudaGetLastError();
}
#define WANTS(wanted, call) wants(wanted, call, __LINE__)

static cudaMemAllocNodeParams asking_for(size_t bytes) {
    cudaMemAllocNodeParams asked = {};
    asked.poolProps.allocType = cudaMemAllocationTypePinned;
    asked.poolProps.location.type = cudaMemLocationTypeDevice;
    asked.bytesize = bytes;
    return asked;
}

static cudaStream_t stream;
static cudaGraph_t captured(int* host) {
    cudaGraph_t graph;
    int *x, *sum;
    cudaStream_t side;
    cudaEvent_t forked, joined;
    cudaStreamCreate(&side);
    cudaEventCreate(&forked);
    cudaEventCreate(&joined);
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    cudaMallocAsync(&x, 32 * sizeof(int), stream);
    cudaMallocAsync(&sum, sizeof(int), stream);
    void* nothing = host;
    WANTS(cudaSuccess, cudaMallocAsync(&nothing, 0, stream));
    if (nothing) return nullptr;
    count_up<<<1, 32, 0, stream>>>(x);
    add_up<<<1, 1, 0, stream>>>(x, sum);
    cudaEventRecord(forked, stream);
    cudaStreamWaitEvent(side, forked);
    cudaFreeAsync(x, side);
    cudaMemcpyAsync(host, sum, sizeof(int), cudaMemcpyDeviceToHost, stream);
    cudaFreeAsync(sum, stream);
    cudaEventRecord(joined, side);
    cudaStreamWaitEvent(stream, joined);
    cudaStreamDestroy(side);
    return cudaStreamEndCapture(stream, &graph) == cudaSuccess ? graph : nullptr;
}

int main() {
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    int sums[2] = {}, last = 0;
    cudaGraph_t graph = captured(&sums[0]), freeing, other;
    cudaGraphExec_t exec, frees, same;
    cudaGraphInstantiate(&exec, graph, 0);
    for (int& sum : sums) {
        cudaGraphLaunch(exec, stream);
        cudaStreamSynchronize(stream);
        sum = sums[0];
    }
    printf("sums %d %d, ", sums[0], sums[1]);
    cudaGraphExecDestroy(exec);
    cudaGraphDestroy(graph);

    // Memory that is left behind, and freed in three ways.
    cudaGraphCreate(&graph, 0);
    cudaGraphNode_t nodes[3];
    cudaMemAllocNodeParams asked = asking_for(32 * sizeof(int)), known;
    cudaGraphAddMemAllocNode(&nodes[0], graph, nullptr, 0, &asked);
    void *arguments[] = {&asked.dptr}, *freed;
    cudaKernelNodeParams kernel = {};
    kernel.func = (void*)count_up;
    kernel.gridDim = dim3(1);
    kernel.blockDim = dim3(32);
    kernel.kernelParams = arguments;
    cudaGraphAddKernelNode(&nodes[1], graph, nodes, 1, &kernel);
    cudaGraphMemAllocNodeGetParams(nodes[0], &known);
    if (known.dptr != asked.dptr || known.bytesize != 128) return 1;
    cudaGraphNodeType type;
    cudaGraphNodeGetType(nodes[0], &type);
    if (type != cudaGraphNodeTypeMemAlloc) return 2;
    int* x = (int*)asked.dptr;
    cudaGraphInstantiate(&exec, graph, 0);
    cudaGraphLaunch(exec, stream);
    cudaMemcpyAsync(&last, x + 31, sizeof(int), cudaMemcpyDeviceToHost, stream);
    cudaStreamSynchronize(stream);
    printf("left behind %d, ", last);
    WANTS(cudaErrorInvalidValue, cudaGraphLaunch(exec, stream));
    WANTS(cudaSuccess, cudaFree(x));
    WANTS(cudaSuccess, cudaGraphLaunch(exec, stream));
    WANTS(cudaSuccess, cudaFreeAsync(x, stream));
    WANTS(cudaSuccess, cudaGraphLaunch(exec, stream));
    cudaGraphCreate(&freeing, 0);
    WANTS(cudaSuccess, cudaGraphAddMemFreeNode(&nodes[2], freeing, nullptr, 0, x));
    cudaGraphMemFreeNodeGetParams(nodes[2], &freed);
    if (freed != x) return 3;
    cudaGraphInstantiate(&frees, freeing, 0);
    last = 0;
    cudaMemcpyAsync(&last, x + 31, sizeof(int), cudaMemcpyDeviceToHost, stream);
    cudaGraphLaunch(frees, stream);
    cudaStreamSynchronize(stream);
    printf("then %d, freed by another graph; ", last);

    WANTS(cudaErrorNotSupported, cudaGraphClone(&other, graph));
    WANTS(cudaErrorNotSupported, cudaGraphInstantiate(&same, graph, 0));
    cudaGraphCreate(&other, 0);
    WANTS(cudaErrorNotSupported, cudaGraphAddChildGraphNode(&nodes[2], other, nullptr, 0, graph));
    WANTS(cudaErrorInvalidValue, cudaGraphAddMemFreeNode(&nodes[2], other, nullptr, 0, nullptr));
    WANTS(cudaErrorInvalidValue, cudaGraphAddMemFreeNode(&nodes[2], other, nullptr, 0, x + 1));
    cudaMemAllocNodeParams nothing = asking_for(0);
    WANTS(cudaErrorInvalidValue, cudaGraphAddMemAllocNode(&nodes[2], other, nullptr, 0, &nothing));
    unsigned long long bytes, one = 1;
    cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent, &bytes);
    printf("%s kept, ", bytes ? "some" : "none");
    WANTS(cudaErrorInvalidValue, cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemHigh, &one));
    WANTS(cudaErrorInvalidDevice, cudaDeviceGraphMemTrim(7));
    cudaDeviceGraphMemTrim(0);
    cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent, &bytes);
    printf("then %llu bytes; ", bytes);

    // Each launch frees what the one before has left.
    cudaGraphExecDestroy(exec);
    cudaGraphExecDestroy(frees);
    cudaGraphInstantiate(&exec, graph, cudaGraphInstantiateFlagAutoFreeOnLaunch);
    cudaGraphDestroy(graph);
    cudaGraphLaunch(exec, stream);
    WANTS(cudaSuccess, cudaGraphLaunch(exec, stream));
    cudaGraphExecDestroy(exec);
    cudaFreeAsync(x, stream);  // it outlives its graph
    cudaGraphDestroy(freeing);
    cudaGraphDestroy(other);
    printf("%d calls do as CUDA says\n", as_wanted);
    cudaStreamSynchronize(stream);
    cudaStreamDestroy(stream);
}
