// prints: 4 gets 9, 5 gets 11, 6 gets 13; 3 calls of the host; captured: 0 1 0; nodes: 5
#include <cstdio>

#if CUDART_VERSION >= 13000  // edges have data there
#define NO_DATA nullptr,
#else
#define NO_DATA
#endif

__global__ void twice_and_more(int* x, int more) { *x = 2 * *x + more; }

static void count(void* calls) { ++*static_cast<int*>(calls); }

int main() {
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    int *host, *gpu;
    cudaMallocHost(&host, sizeof(int));
    cudaMalloc(&gpu, sizeof(int));
    *host = 1;
    int calls = 0, held = -1;
    cudaMemset(gpu, 0, sizeof(int));
    cudaStreamCaptureStatus before, meanwhile, after;
    cudaStreamIsCapturing(stream, &before);
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    cudaMemcpyAsync(gpu, host, sizeof(int), cudaMemcpyHostToDevice, stream);
    int more = 1;
    twice_and_more<<<1, 1, 0, stream>>>(gpu, more);
    more = 1000;  // the node has its own copy
    cudaMemcpyAsync(host, gpu, sizeof(int), cudaMemcpyDeviceToHost, stream);
    cudaLaunchHostFunc(stream, count, &calls);
    cudaMemsetAsync(gpu, 1, sizeof(int), stream);
    cudaGraph_t graph, growing;
    unsigned long long id = 0;
    const cudaGraphNode_t* waits;
    cudaGraphNode_t there[5];
    size_t known = 0, nodes = 5;
    cudaStreamGetCaptureInfo(stream, &meanwhile, &id, &growing, &waits, NO_DATA &known);
    cudaGraphGetNodes(growing, there, &nodes);
    if (!id || known != 1 || waits[0] != there[4]) return 3;
    if (cudaStreamEndCapture(stream, &graph) != cudaSuccess || graph != growing) return 1;
    cudaStreamIsCapturing(stream, &after);
    nodes = 0;
    cudaGraphGetNodes(graph, nullptr, &nodes);
    cudaGraphExec_t exec;
    cudaGraphInstantiate(&exec, graph, nullptr, nullptr, 0);
    cudaGraphDestroy(graph);
    cudaMemcpy(&held, gpu, sizeof(int), cudaMemcpyDeviceToHost);
    if (*host != 1 || calls || held) return 2;  // nothing has run
    for (int value = 4; value < 7; value++) {
        *host = value;  // is read when the graph runs
        cudaGraphLaunch(exec, stream);
        cudaStreamSynchronize(stream);
        printf("%d gets %d%s", value, *host, value < 6 ? ", " : "; ");
    }
    printf("%d calls of the host; captured: %d %d %d; nodes: %zu\n", calls, before, meanwhile, after, nodes);
    cudaGraphExecDestroy(exec);
    cudaStreamDestroy(stream);
    cudaFreeHost(host);
    cudaFree(gpu);
}
