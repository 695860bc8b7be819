// finds: StreamRace, line 11
// Both write the same values, where nothing changes: the order does not show, and none is given.
__global__ void clear(int* x) { x[threadIdx.x] = 0; }

int main() {
    int* x;
    cudaMalloc(&x, 32 * sizeof(int));
    cudaMemset(x, 0, 32 * sizeof(int));
    cudaStream_t a, b;
    cudaStreamCreate(&a), cudaStreamCreate(&b);
    clear<<<1, 32, 0, a>>>(x); clear<<<1, 32, 0, b>>>(x);
    if (cudaDeviceSynchronize()) return 2;
    cudaStreamDestroy(a);
    cudaStreamDestroy(b);
    cudaFree(x);
}
