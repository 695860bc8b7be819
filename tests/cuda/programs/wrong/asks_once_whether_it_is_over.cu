// finds: Unsynchronized, line 12
// It asks, and does not look at the answer: nobody has waited.
#include <cstdio>
__global__ void square(int* x) { x[threadIdx.x] *= x[threadIdx.x]; }

int main() {
    int* x;
    cudaMallocManaged(&x, 32 * sizeof(int));
    for (int i = 0; i < 32; i++) x[i] = i;
    square<<<1, 32>>>(x);
    cudaStreamQuery(0);
    printf("%d\n", x[31]);
    cudaDeviceSynchronize();
    cudaFree(x);
}
