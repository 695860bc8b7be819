// finds: UninitializedRead, line 14
// says: Thread 16 of block 0 reads x[16], which nobody has written
__global__ void twice(int* x) { x[threadIdx.x] *= 2; }

int main() {
    int host[32] = {}, *x;
    for (int n : {32, 16}) {
        if (n == 16) cudaFree(x);
        cudaMalloc(&x, sizeof host);
        cudaMemcpy(x, host, n * sizeof(int), cudaMemcpyHostToDevice);
        if (n == 32)
            twice<<<1, 32>>>(x);
    }
    twice<<<1, 32>>>(x);
    cudaMemcpy(host, x, 16 * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(x);
}
