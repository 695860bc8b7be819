// finds: OutOfBounds, line 10
// What follows an error that lasts fails, too: nothing is left that could be freed.
#include <cstdio>

__global__ void fill(int* x) { x[threadIdx.x] = 1; }

int main() {
    int* x;
    cudaMalloc(&x, 32 * sizeof(int));
    fill<<<1, 64>>>(x);
    cudaError_t error = cudaDeviceSynchronize();
    if (error) printf("%s\n", cudaGetErrorString(error));
    error = cudaFree(x);
    if (error) printf("%s\n", cudaGetErrorString(error));
}
