// finds: FailedLaunch, line 7
__global__ void fill(int* x) { x[blockIdx.y * blockDim.x + threadIdx.x] = 1; }

int main() {
    int* x;
    cudaMalloc(&x, 70000 * 32 * sizeof(int));
    fill<<<dim3(1, 70000), 32>>>(x);
    return cudaGetLastError() == cudaErrorInvalidConfiguration ? cudaFree(x) : 2;
}
