// finds: FailedLaunch, line 7
__global__ void fill(int* x) { x[threadIdx.x + threadIdx.y * 64] = 1; }

int main() {
    int* x;
    cudaMalloc(&x, 64 * 32 * sizeof(int));
    fill<<<1, dim3(64, 32)>>>(x);
    cudaFree(x);
    return cudaGetLastError() != cudaErrorInvalidConfiguration ? 2 : 1;
}
