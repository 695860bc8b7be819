// finds: CopyOutOfBounds, line 12
#include <cstdlib>

int main() {
    int *x, *host = (int*)malloc(100);
    cudaMalloc(&x, 128);
    cudaMemset(x, 0, 128);
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaGraphNode_t node;
    cudaGraphCreate(&graph, 0);
    cudaGraphAddMemcpyNode1D(&node, graph, nullptr, 0, host, x, 128, cudaMemcpyDeviceToHost);
    cudaGraphInstantiate(&exec, graph);
    cudaError_t error = cudaGraphLaunch(exec, 0);
    cudaFree(x);
    free(host);
    return error;
}
