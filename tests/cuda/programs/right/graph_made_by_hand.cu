// prints: sum 276, filled 1284 and 0, the host saw 276; 6 nodes, 2 roots, 6 edges, types 2 0 2 1 5 4; clone: sum 276
#include <cstdio>
#include <vector>

#if CUDART_VERSION >= 13000  // edges have data there
#define NO_DATA nullptr,
#else
#define NO_DATA
#endif

__global__ void count_up(int* x) { x[threadIdx.x] += threadIdx.x; }
__global__ void add_up(const int* x, int n, int* sum) {
    int total = 0;
    for (int i = 0; i < n; i++) total += x[i];
    *sum = total;
}

struct Seen {
    const int* sum;
    int value;
};
void CUDART_CB look(void* data) {
    Seen* seen = static_cast<Seen*>(data);
    seen->value = *seen->sum;
}

int main() {
    const int n = 24;
    int *x, *sum, host_sum = 0;
    unsigned short filled[6], *words;
    cudaMalloc(&x, n * sizeof(int));
    cudaMalloc(&sum, sizeof(int));
    size_t pitch;
    cudaMallocPitch(&words, &pitch, 3 * sizeof(short), 2);
    Seen seen = {&host_sum, 0};

    // A child: add up, copy, look.
    cudaGraph_t child, graph, clone;
    cudaGraphCreate(&child, 0);
    cudaGraphNode_t added_up, copied, looked;
    int count = n;
    void* arguments[] = {&x, &count, &sum};
    cudaKernelNodeParams kernel = {};
    kernel.func = (void*)add_up;
    kernel.gridDim = dim3(1);
    kernel.blockDim = dim3(1);
    kernel.kernelParams = arguments;
    cudaGraphAddKernelNode(&added_up, child, nullptr, 0, &kernel);
    count = 1;  // the node has its own copy
    cudaGraphAddMemcpyNode1D(&copied, child, &added_up, 1, &host_sum, sum, sizeof(int), cudaMemcpyDeviceToHost);
    cudaHostNodeParams host = {look, &seen};
    cudaGraphAddHostNode(&looked, child, &copied, 1, &host);

    cudaGraphCreate(&graph, 0);
    cudaGraphNode_t zero, counted, fill, copy, both, sums;
    cudaMemsetParams zeros = {};
    zeros.dst = x;
    zeros.elementSize = 1;
    zeros.width = n * sizeof(int);
    zeros.height = 1;
    cudaGraphAddMemsetNode(&zero, graph, nullptr, 0, &zeros);
    void* only_x[] = {&x};
    kernel.func = (void*)count_up;
    kernel.blockDim = dim3(n);
    kernel.kernelParams = only_x;
    cudaGraphAddKernelNode(&counted, graph, &zero, 1, &kernel);
    cudaMemsetParams words_of_two_bytes = {words, pitch, 1284, 2, 2, 2};
    cudaGraphAddMemsetNode(&fill, graph, nullptr, 0, &words_of_two_bytes);
    cudaMemcpy3DParms rows = {};
    rows.srcPtr = make_cudaPitchedPtr(words, pitch, 3, 2);
    rows.dstPtr = make_cudaPitchedPtr(filled, 6, 3, 2);
    rows.extent = make_cudaExtent(6, 2, 1);
    rows.kind = cudaMemcpyDeviceToHost;
    cudaGraphAddMemcpyNode(&copy, graph, &fill, 1, &rows);
    std::vector<cudaGraphNode_t> ends = {counted, copy};
    cudaGraphAddEmptyNode(&both, graph, ends.data(), ends.size());
    cudaGraphAddChildGraphNode(&sums, graph, nullptr, 0, child);
    cudaGraphDestroy(child);
    cudaGraphAddDependencies(graph, &both, &sums, NO_DATA 1);
    cudaGraphAddDependencies(graph, &counted, &sums, NO_DATA 1);
    if (cudaGraphAddDependencies(graph, &both, &sums, NO_DATA 1) != cudaErrorInvalidValue) return 1;
    if (cudaGetLastError() != cudaErrorInvalidValue) return 1;
    cudaMemset2D(words, pitch, 0, 6, 2);

    cudaGraphExec_t exec;
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaGraphInstantiateWithFlags(&exec, graph, 0);
    cudaGraphUpload(exec, stream);
    cudaGraphLaunch(exec, stream);
    cudaStreamSynchronize(stream);
    cudaGraphExecDestroy(exec);
    printf("sum %d, filled %d and %d, the host saw %d; ", host_sum, filled[4], filled[5], seen.value);

    size_t nodes = 10, roots = 0, edges = 0;
    cudaGraphNode_t all[10];
    cudaGraphGetNodes(graph, all, &nodes);
    cudaGraphGetRootNodes(graph, nullptr, &roots);
    cudaGraphGetEdges(graph, nullptr, nullptr, NO_DATA &edges);
    printf("%zu nodes, %zu roots, %zu edges, types", nodes, roots, edges);
    for (size_t i = 0; i < nodes; i++) {
        cudaGraphNodeType type;
        cudaGraphNodeGetType(all[i], &type);
        printf(" %d", type);
    }
    if (all[1] != counted || all[6] != nullptr) return 2;

    host_sum = 0;
    cudaGraphClone(&clone, graph);
    cudaGraphDestroy(graph);
    cudaGraphInstantiate(&exec, clone);
    cudaGraphLaunch(exec, stream);
    cudaDeviceSynchronize();
    printf("; clone: sum %d\n", host_sum);
    cudaGraphExecDestroy(exec);
    cudaGraphDestroy(clone);
    cudaStreamDestroy(stream);
    cudaFree(x);
    cudaFree(sum);
    cudaFree(words);
}
