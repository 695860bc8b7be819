// finds: InvalidFree, line 9
__global__ void fill(int* x) { x[threadIdx.x] = 1; }

int main() {
    int* x;
    cudaMalloc(&x, 64 * sizeof(int));
    fill<<<1, 32>>>(x), x += 32;
    fill<<<1, 32>>>(x);
    cudaError_t error = cudaFree(x);
    if (error) cudaFree(x - 32);
    return error == cudaErrorInvalidValue ? 1 : 2;
}
