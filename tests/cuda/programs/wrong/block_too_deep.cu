// finds: FailedLaunch, line 7
__global__ void fill(int* x) { x[threadIdx.z] = 1; }

int main() {
    int* x;
    cudaMalloc(&x, 128 * sizeof(int));
    fill<<<1, dim3(1, 1, 128)>>>(x);
    return cudaGetLastError() == cudaErrorInvalidConfiguration ? cudaFree(x) : 2;
}
