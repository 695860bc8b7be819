// finds: OutOfBounds, line 7
__global__ void fill(int* x) { x[blockIdx.x * blockDim.x + threadIdx.x] = 1; }

int main() {
    int* x;
    cudaMalloc(&x, 1000 * sizeof(int));
    fill<<<4, 256>>>(x);
    cudaError_t error = cudaDeviceSynchronize();
    cudaFree(x);
    return error == cudaErrorIllegalAddress ? 1 : 0;
}
