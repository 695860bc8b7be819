// finds: UninitializedRead, line 12
// says: Thread 12 of block 0 reads x[12], which nobody has written
// says: 3 more elements of x
__global__ void twice(int* x) { x[threadIdx.x] *= 2; }

int main() {
    int host[16] = {}, *from, *to;
    cudaMalloc(&from, sizeof host);
    cudaMalloc(&to, 2 * sizeof host);
    cudaMemcpy(from, host, 12 * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemcpy(to, from, sizeof host, cudaMemcpyDeviceToDevice);
    twice<<<1, 16>>>(to);
    cudaMemcpy(host, to, sizeof host, cudaMemcpyDeviceToHost);
    cudaFree(from);
    cudaFree(to);
}
