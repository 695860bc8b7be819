// finds: OutOfBounds, line 10
// says: thread 4 writes line 6 x[i] = i;
__global__ void fill(int* x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i <= n)
        x[i] = i;
}

__global__ void parent(int* x, int n) {
    if (threadIdx.x == 3) fill<<<(n + 32) / 32, 32>>>(x, n);
}

int main() {
    int* x;
    cudaMalloc(&x, 100 * sizeof(int));
    parent<<<1, 32>>>(x, 100);
    cudaDeviceSynchronize();
    cudaFree(x);
}
// nvcc: -rdc=true
