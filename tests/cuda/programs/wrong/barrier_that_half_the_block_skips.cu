// finds: BarrierDivergence, line 11
__global__ void shift(int* x, int n) {
    if (threadIdx.x >= n) return;
    __syncthreads();
    x[threadIdx.x] = 1;
}

int main() {
    int* x;
    cudaMalloc(&x, 64 * sizeof(int));
    shift<<<1, 64>>>(x, 40);
    cudaDeviceSynchronize();
    return cudaFree(x) ? 1 : 0;
}
