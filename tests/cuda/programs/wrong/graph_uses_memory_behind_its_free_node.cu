// finds: UseAfterFree, line 10
int main() {
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    int *x, host[32];
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    cudaMallocAsync(&x, sizeof host, stream);
    cudaMemsetAsync(x, 0, sizeof host, stream);
    cudaFreeAsync(x, stream);
    cudaMemcpyAsync(host, x, sizeof host, cudaMemcpyDeviceToHost, stream);
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaStreamEndCapture(stream, &graph);
    cudaGraphInstantiate(&exec, graph, 0);
    return cudaGraphLaunch(exec, stream);
}
