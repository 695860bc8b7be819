// finds: Unsynchronized, line 10
#include <cstdio>

__global__ void fill(int* x) { x[threadIdx.x] = threadIdx.x; }

int main() {
    int* x;
    cudaMallocManaged(&x, 32 * sizeof(int));
    fill<<<1, 32>>>(x);
    printf("%d\n", x[31]);
    cudaFree(x);
}
