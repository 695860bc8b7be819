// prints: 512 elements are right, 5 nodes, 1 root, 5 edges; in turn: 512 elements are right
// Each half of an array in a branch of its own; two streams, which nothing else orders, launch the graph in turn.
#include <cstdio>

#if CUDART_VERSION >= 13000  // edges have data there
#define NO_DATA nullptr,
#else
#define NO_DATA
#endif

__global__ void add(float* x, float value) { x[blockIdx.x * blockDim.x + threadIdx.x] += value; }
__global__ void scale(float* x, float by) { x[blockIdx.x * blockDim.x + threadIdx.x] *= by; }

static int right(const float* gpu, float wanted) {
    static float host[512];
    cudaMemcpy(host, gpu, sizeof host, cudaMemcpyDeviceToHost);
    int count = 0;
    for (float value : host) count += value == wanted;
    return count;
}

int main() {
    float* x;
    cudaMalloc(&x, 512 * sizeof(float));
    cudaStream_t main_stream, side;
    cudaEvent_t forked, joined;
    cudaStreamCreateWithFlags(&main_stream, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&side, cudaStreamNonBlocking);
    cudaEventCreateWithFlags(&forked, cudaEventDisableTiming);
    cudaEventCreateWithFlags(&joined, cudaEventDisableTiming);

    cudaStreamBeginCapture(main_stream, cudaStreamCaptureModeThreadLocal);
    cudaMemsetAsync(x, 0, 512 * sizeof(float), main_stream);
    cudaEventRecord(forked, main_stream);
    cudaStreamWaitEvent(side, forked);
    add<<<1, 256, 0, main_stream>>>(x, 3);
    add<<<1, 256, 0, side>>>(x + 256, 3);
    cudaEventRecord(joined, side);
    cudaStreamWaitEvent(main_stream, joined, 0);
    scale<<<2, 256, 0, main_stream>>>(x, 2);
    scale<<<2, 256, 0, main_stream>>>(x, 2);
    cudaGraph_t graph;
    if (cudaStreamEndCapture(main_stream, &graph) != cudaSuccess) return 1;

    size_t nodes, roots, edges;
    cudaGraphGetNodes(graph, nullptr, &nodes);
    cudaGraphGetRootNodes(graph, nullptr, &roots);
    cudaGraphGetEdges(graph, nullptr, nullptr, NO_DATA &edges);
    cudaGraphExec_t exec;
    cudaGraphInstantiate(&exec, graph, 0);
    cudaGraphLaunch(exec, main_stream);
    cudaStreamSynchronize(main_stream);
    printf("%d elements are right, %zu nodes, %zu root, %zu edges; ", right(x, 12), nodes, roots, edges);
    scale<<<2, 256, 0, main_stream>>>(x, 0);
    cudaGraphLaunch(exec, main_stream);
    cudaGraphLaunch(exec, side);  // behind the launch before
    add<<<2, 256, 0, side>>>(x, 1);
    cudaStreamSynchronize(side);
    printf("in turn: %d elements are right\n", right(x, 13));
    cudaGraphExecDestroy(exec);
    cudaGraphDestroy(graph);
    cudaEventDestroy(forked);
    cudaEventDestroy(joined);
    cudaStreamDestroy(main_stream);
    cudaStreamDestroy(side);
    cudaFree(x);
}
