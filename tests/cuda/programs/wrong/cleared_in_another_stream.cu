// finds: StreamRace, line 10
__global__ void count(int* x) { atomicAdd(x, 1); }

int main() {
    int* x;
    cudaMalloc(&x, sizeof(int));
    cudaStream_t a;
    cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking);
    cudaMemset(x, 0, sizeof(int));
    count<<<1, 32, 0, a>>>(x);
    if (cudaDeviceSynchronize()) return 2;
    cudaStreamDestroy(a);
    cudaFree(x);
}
