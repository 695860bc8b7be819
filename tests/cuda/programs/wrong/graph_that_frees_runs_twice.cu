// finds: InvalidFree, line 17
int main() {
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    int* x;
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    cudaMallocAsync(&x, 128, stream);
    cudaMemsetAsync(x, 0, 128, stream);
    cudaStreamEndCapture(stream, &graph);
    cudaGraphInstantiate(&exec, graph, 0);
    cudaGraph_t freeing;
    cudaGraphExec_t frees;
    cudaGraphNode_t node;
    cudaGraphCreate(&freeing, 0);
    cudaGraphAddMemFreeNode(&node, freeing, nullptr, 0, x);
    cudaGraphInstantiate(&frees, freeing, 0);
    cudaGraphLaunch(exec, stream);
    cudaGraphLaunch(frees, stream);
    return cudaGraphLaunch(frees, stream);
}
