// finds: Unsynchronized, line 8
__global__ void fill(int* x) { x[threadIdx.x] = threadIdx.x; }

int main() {
    int* x;
    cudaMallocManaged(&x, 32 * sizeof(int));
    fill<<<1, 32>>>(x);
    int last = x[31];
    if (cudaDeviceSynchronize()) return 2;
    cudaFree(x);
    return last == 32 ? 3 : 0;
}
