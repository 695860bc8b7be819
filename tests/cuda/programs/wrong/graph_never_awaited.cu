// finds: Unsynchronized, line 8
__global__ void k() {}

int main() {
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed);
    k<<<1, 1, 0, stream>>>();
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaStreamEndCapture(stream, &graph);
    cudaGraphInstantiate(&exec, graph);
    cudaGraphLaunch(exec, stream);
}
