// finds: UninitializedRead, line 7
__global__ void add_one(int* x) { x[threadIdx.x] += 1; }

int main() {
    int host[32], *x;
    cudaMalloc(&x, sizeof host);
    add_one<<<1, 32>>>(x);
    cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost);
    cudaFree(x);
}
