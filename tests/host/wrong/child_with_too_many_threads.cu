// finds: FailedLaunch, line 5
// says: The launch of fill fails with cudaErrorInvalidConfiguration, and nothing runs: a block has 2,048 threads
__global__ void fill(int* x) { x[threadIdx.x] = 1; }

__global__ void parent(int* x, int n) { fill<<<1, n>>>(x); }

int main() {
    int* x;
    cudaMalloc(&x, 2048 * sizeof(int));
    parent<<<1, 1>>>(x, 2048);
    cudaDeviceSynchronize();
    cudaFree(x);
}
// nvcc: -rdc=true
