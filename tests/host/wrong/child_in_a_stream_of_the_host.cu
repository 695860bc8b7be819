// finds: FailedLaunch, line 6
// says: The launch of idle in a kernel fails with cudaErrorInvalidResourceHandle, and nothing runs: its stream is none that
// says: this grid has created, or it was destroyed
__global__ void idle() {}

__global__ void parent(cudaStream_t s) { idle<<<1, 1, 0, s>>>(); }

int main() {
    cudaStream_t s;
    cudaStreamCreate(&s);
    parent<<<1, 1>>>(s);
    cudaDeviceSynchronize();
    cudaStreamDestroy(s);
}
// nvcc: -rdc=true
