// wrong: line 16 reads what the graph of line 15 may not have copied yet
__global__ void fill(int* x) { x[threadIdx.x] = 1; }

int main() {
    int *x, host[32] = {};
    cudaMalloc(&x, sizeof host);
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    fill<<<1, 32, 0, stream>>>(x);
    cudaMemcpyAsync(host, x, sizeof host, cudaMemcpyDeviceToHost, stream);
    if (cudaStreamEndCapture(stream, &graph) || cudaGraphInstantiate(&exec, graph)) return 2;
    if (cudaGraphLaunch(exec, stream)) return 2;
    int seen = host[0];
    if (cudaStreamSynchronize(stream)) return 2;
    cudaFree(x);
    return seen == 1 ? 0 : 2;
}
