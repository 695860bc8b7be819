// finds: UseAfterFree, line 9
__global__ void add_one(int* x) { x[threadIdx.x] += 1; }

int main() {
    int* x;
    cudaMalloc(&x, 32 * sizeof(int));
    cudaMemset(x, 0, 32 * sizeof(int));
    cudaFree(x);
    add_one<<<1, 32>>>(x);
    return cudaDeviceSynchronize() != cudaSuccess;
}
