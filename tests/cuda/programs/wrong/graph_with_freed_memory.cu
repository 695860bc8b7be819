// finds: UseAfterFree, line 9
int main() {
    int *x, host[32];
    cudaMalloc(&x, sizeof host);
    cudaMemset(x, 0, sizeof host);
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed);
    cudaMemcpyAsync(host, x, sizeof host, cudaMemcpyDeviceToHost, stream);
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaStreamEndCapture(stream, &graph);
    cudaGraphInstantiate(&exec, graph);
    cudaFree(x);
    return cudaGraphLaunch(exec, stream);
}
