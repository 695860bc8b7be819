// wrong: line 14 changes what the kernel of line 13 may still read
__constant__ int step;
__global__ void count(int* x) {
    for (int i = 0; i < 1000; i++) x[threadIdx.x] += step;
}

int main() {
    int one = 1, two = 2, *x;
    cudaStream_t a, b;
    cudaStreamCreate(&a), cudaStreamCreate(&b);
    cudaMalloc(&x, 32 * sizeof(int)), cudaMemset(x, 0, 32 * sizeof(int));
    cudaMemcpyToSymbol(step, &one, sizeof one);
    count<<<1, 32, 0, a>>>(x);
    cudaMemcpyToSymbolAsync(step, &two, sizeof two, 0, cudaMemcpyHostToDevice, b);
    if (cudaDeviceSynchronize()) return 2;
    cudaStreamDestroy(a), cudaStreamDestroy(b);
    return cudaFree(x);
}
