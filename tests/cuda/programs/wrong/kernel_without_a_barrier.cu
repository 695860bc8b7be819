// finds: Race, line 12
__global__ void reverse(int* x) {
    __shared__ int tile[64];
    tile[threadIdx.x] = x[threadIdx.x];
    x[threadIdx.x] = tile[63 - threadIdx.x];
}

int main() {
    int* x;
    cudaMalloc(&x, 64 * sizeof(int));
    cudaMemset(x, 0, 64 * sizeof(int));
    reverse<<<1, 64>>>(x);
    if (cudaDeviceSynchronize()) return 2;
    return cudaFree(x);
}
