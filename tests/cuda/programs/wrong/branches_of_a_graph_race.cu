// finds: StreamRace, line 18
__global__ void fill(int* x) { x[threadIdx.x] = threadIdx.x; }

int main() {
    int *x, *host;
    cudaMalloc(&x, 128);
    cudaMallocHost(&host, 128);
    cudaStream_t stream, side;
    cudaEvent_t forked, joined;
    cudaStreamCreate(&stream);
    cudaStreamCreate(&side);
    cudaEventCreate(&forked);
    cudaEventCreate(&joined);
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    cudaEventRecord(forked, stream);  // before the kernel, and not behind it
    cudaStreamWaitEvent(side, forked);
    fill<<<1, 32, 0, stream>>>(x);
    cudaMemcpyAsync(host, x, 128, cudaMemcpyDeviceToHost, side);
    cudaEventRecord(joined, side);
    cudaStreamWaitEvent(stream, joined);
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaStreamEndCapture(stream, &graph);
    cudaGraphInstantiate(&exec, graph);
    cudaGraphLaunch(exec, stream);
    cudaStreamSynchronize(stream);
    cudaGraphLaunch(exec, stream);
    cudaStreamSynchronize(stream);
    cudaFree(x);
    cudaFreeHost(host);
}
