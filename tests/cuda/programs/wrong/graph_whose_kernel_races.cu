// finds: Race, line 11
__global__ void k(int* x) { x[0] = threadIdx.x; }

int main() {
    int* x;
    cudaMalloc(&x, sizeof(int));
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    for (int i = 0; i < 1; i++) {
        cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
        k<<<1, 2, 0, stream>>>(x);
        cudaGraph_t graph;
        cudaGraphExec_t exec;
        cudaStreamEndCapture(stream, &graph);
        cudaGraphInstantiate(&exec, graph);
        cudaGraphLaunch(exec, stream);
        cudaStreamSynchronize(stream);
    }
    cudaFree(x);
}
