// finds: UncheckedError, line 10
__global__ void k() {}

int main() {
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    k<<<1, 1, 0, stream>>>();
    cudaStreamSynchronize(stream);
    cudaStreamDestroy(stream);
    k<<<1, 1, 0, stream>>>();
    return cudaDeviceSynchronize();
}
