// finds: UninitializedRead, line 12
// says: Thread 8 of block 0 reads x[8], which nobody has written
// says: 23 more elements of x
// says: cudaMemset in line 10 has written the first 32 bytes of 128
__global__ void count(int* x) { x[threadIdx.x] += 1; }

int main() {
    int *x, host[32];
    cudaMalloc(&x, sizeof host);
    cudaMemset(x, 0, 32);  // bytes, not elements
    for (int i = 0; i < 3; ++i)
        count<<<1, 32>>>(x);
    cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost);
    cudaFree(x);
}
