// finds: Crash, line 9
// says: line 4 __global__ void fill
// says: memory is used that free or delete has released
__global__ void fill(int* x) { x[threadIdx.x] = 1; }

__global__ void parent() {
    int* x;
    if (cudaMalloc(&x, 32 * sizeof(int)) != cudaSuccess) return;
    fill<<<1, 32>>>(x);
    cudaFree(x);
}

int main() {
    parent<<<1, 1>>>();
    cudaDeviceSynchronize();
}
// nvcc: -rdc=true
