// prints: 7, then 20, as instantiated 7, later 12, updated 105, not by others: 2 3, in turn 116 116
#include <cstdio>

__global__ void add(int* x, int value) { *x += value; }
__global__ void multiply(int* x, int value) { *x *= value; }

static int launched(cudaGraphExec_t exec, int* x) {
    int start = 5, out;
    cudaMemcpy(x, &start, sizeof start, cudaMemcpyHostToDevice);
    cudaGraphLaunch(exec, 0);
    cudaMemcpy(&out, x, sizeof out, cudaMemcpyDeviceToHost);
    return out;
}

static cudaGraph_t captured(cudaStream_t stream, int* x, int kernels, bool fills) {
    cudaGraph_t graph;
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed);
    if (fills) cudaMemsetAsync(x, 0, sizeof(int), stream);
    for (int i = 0; i < kernels; i++) add<<<1, 1, 0, stream>>>(x, 100);
    return cudaStreamEndCapture(stream, &graph) == cudaSuccess ? graph : nullptr;
}

// Two branches, which change places between two launches in streams that nothing else orders.
static void launch_in_turn(int* x) {
    int numbers[] = {1, 1}, hundred = 100, fifteen = 15, *second = x + 1;
    cudaMemcpy(x, numbers, sizeof numbers, cudaMemcpyHostToDevice);
    void *to_first[] = {&x, &hundred}, *to_second[] = {&second, &fifteen};
    cudaKernelNodeParams kernel = {(void*)add, 1, 1, 0, to_first, nullptr};
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaGraphNode_t nodes[2];
    cudaGraphCreate(&graph, 0);
    cudaGraphAddKernelNode(&nodes[0], graph, nullptr, 0, &kernel);
    kernel.kernelParams = to_second;
    cudaGraphAddKernelNode(&nodes[1], graph, nullptr, 0, &kernel);
    cudaGraphInstantiate(&exec, graph);
    cudaStream_t streams[2];
    for (auto& stream : streams) cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    cudaGraphLaunch(exec, streams[0]);
    to_first[0] = &second;
    to_second[0] = &x;
    cudaGraphExecKernelNodeSetParams(exec, nodes[1], &kernel);
    kernel.kernelParams = to_first;
    cudaGraphExecKernelNodeSetParams(exec, nodes[0], &kernel);
    cudaGraphLaunch(exec, streams[1]);
    cudaStreamSynchronize(streams[1]);
    cudaMemcpy(numbers, x, sizeof numbers, cudaMemcpyDeviceToHost);
    printf("in turn %d %d\n", numbers[0], numbers[1]);
    for (auto& stream : streams) cudaStreamDestroy(stream);
    cudaGraphExecDestroy(exec);
    cudaGraphDestroy(graph);
}

int main() {
    int* x;
    cudaMalloc(&x, 2 * sizeof(int));
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaGraph_t graph;
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    add<<<1, 1, 0, stream>>>(x, 2);
    cudaStreamEndCapture(stream, &graph);
    cudaGraphNode_t node;
    size_t one = 1;
    cudaGraphGetNodes(graph, &node, &one);
    cudaGraphExec_t exec, same, later;
    cudaGraphInstantiate(&exec, graph);
    cudaGraphInstantiate(&same, graph);
    printf("%d, ", launched(exec, x));

    cudaKernelNodeParams kernel;
    cudaGraphKernelNodeGetParams(node, &kernel);
    if (kernel.func != (void*)add || kernel.blockDim.x != 1 || *(int*)kernel.kernelParams[1] != 2) return 1;
    int four = 4, seven = 7;
    void* with_four[] = {&x, &four};
    kernel.func = (void*)multiply;
    kernel.kernelParams = with_four;
    cudaGraphExecKernelNodeSetParams(exec, node, &kernel);
    printf("then %d, as instantiated %d, ", launched(exec, x), launched(same, x));
    void* with_seven[] = {&x, &seven};
    kernel.func = (void*)add;
    kernel.kernelParams = with_seven;
    cudaGraphKernelNodeSetParams(node, &kernel);
    cudaGraphInstantiate(&later, graph);
    printf("later %d, ", launched(later, x));

    cudaGraphExecUpdateResultInfo info;
    cudaGraph_t others[] = {captured(stream, x, 1, false), captured(stream, x, 2, false), captured(stream, x, 0, true)};
    if (cudaGraphExecUpdate(exec, others[0], &info) != cudaSuccess) return 2;
    if (info.result != cudaGraphExecUpdateSuccess) return 2;
    printf("updated %d, ", launched(exec, x));
    if (cudaGraphExecUpdate(exec, others[1], &info) != cudaErrorGraphExecUpdateFailure) return 3;
    printf("not by others: %d ", info.result);
    cudaGraphExecUpdateResult result;
    cudaGraphExecUpdate(exec, others[2], nullptr, &result);
    printf("%d, ", result);
    launch_in_turn(x);
    for (auto other : others) cudaGraphDestroy(other);
    for (auto made : {exec, same, later}) cudaGraphExecDestroy(made);
    cudaGraphDestroy(graph);
    cudaStreamDestroy(stream);
    cudaFree(x);
}
