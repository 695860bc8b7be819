// finds: FailedLaunch, line 8
__global__ void k() {}

int main() {
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    k<<<1, 2000, 0, stream>>>();
    cudaError_t error = cudaGetLastError();
    cudaGraph_t graph;
    cudaStreamEndCapture(stream, &graph);
    return error;
}
