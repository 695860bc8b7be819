// prints: after a reset, no error
#include <cstdio>

__global__ void add_one(int* x) { ++*x; }

int main() {
    int *x, value = 1;
    cudaMalloc(&x, sizeof(int));
    cudaMemcpy(x, &value, sizeof(int), cudaMemcpyHostToDevice);
    add_one<<<1, 1>>>(x);
    cudaFree(x);
    cudaDeviceReset();
    printf("after a reset, %s\n", cudaGetErrorString(cudaGetLastError()));
}
