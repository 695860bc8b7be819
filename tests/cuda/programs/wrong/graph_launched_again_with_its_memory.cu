// finds: UncheckedError, line 14
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
    cudaGraphLaunch(exec, stream);
    cudaGraphLaunch(exec, stream);  // before the memory of the first launch is freed
    cudaFreeAsync(x, stream);
    cudaStreamSynchronize(stream);
}
