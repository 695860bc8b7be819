// finds: UncheckedError, line 14
__global__ void wait() {}

int main() {
    cudaEvent_t start, stop;
    cudaEventCreate(&start);
    cudaEventCreate(&stop);
    cudaEventRecord(start);
    wait<<<1, 1>>>();
    cudaDeviceSynchronize();
    float milliseconds = 0;
    cudaEventDestroy(start);
    // In a fresh event, since the one before is gone.
    cudaEventElapsedTime(&milliseconds, stop, stop);
    cudaEventDestroy(stop);
}
