// finds: StreamRace, line 13
__global__ void fill(int* x) { x[threadIdx.x] = threadIdx.x; }
__global__ void twice(int* x) { x[threadIdx.x] *= 2; }

int main() {
    int* x;
    cudaMalloc(&x, 32 * sizeof(int));
    cudaStream_t a, b;
    cudaEvent_t filled;
    cudaStreamCreate(&a), cudaStreamCreate(&b), cudaEventCreate(&filled);
    cudaStreamWaitEvent(b, filled);  // so this waits for nothing
    fill<<<1, 32, 0, a>>>(x);
    twice<<<1, 32, 0, b>>>(x);
    cudaEventRecord(filled, a);
    if (cudaDeviceSynchronize()) return 2;
    cudaEventDestroy(filled), cudaStreamDestroy(a), cudaStreamDestroy(b);
    cudaFree(x);
}
