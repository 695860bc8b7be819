// finds: Unsynchronized, line 22
__global__ void fill(int* x) { x[threadIdx.x] = threadIdx.x; }

int main() {
    int *x, *host, copied[32];
    cudaMalloc(&x, 128);
    cudaMallocHost(&host, 128);
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    fill<<<1, 32, 0, stream>>>(x);
    cudaMemcpyAsync(host, x, 128, cudaMemcpyDeviceToHost, stream);
    cudaMemcpyAsync(copied, x, 128, cudaMemcpyDeviceToHost, stream);  // in a graph, this waits for nothing
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaStreamEndCapture(stream, &graph);
    cudaGraphInstantiate(&exec, graph, 0);
    cudaGraphLaunch(exec, stream);
    cudaStreamSynchronize(stream);
    int sum = host[1];
    cudaGraphLaunch(exec, stream);
    sum += host[1];
    cudaStreamSynchronize(stream);
    cudaGraphExecDestroy(exec);
    cudaGraphDestroy(graph);
    cudaFree(x);
    cudaFreeHost(host);
    return sum != 2;
}
