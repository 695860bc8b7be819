// finds: FailedLaunch, line 9
__global__ void fill(int* x, int n) {
    if (threadIdx.x < n) x[threadIdx.x] = 1;
}

int main() {
    int *x, n = 100;
    cudaMalloc(&x, n * sizeof(int));
    fill<<<n / 256, 256>>>(x, n);
    return cudaGetLastError() == cudaErrorInvalidConfiguration ? cudaFree(x) : 2;
}
