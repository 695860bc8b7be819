#include <cstdio>
#include "operations.cuh"

static __device__ int own(int a, int b) { return 1000 * a + b; }

__global__ void all(int* out, Operation* chosen) {
    for (int i = 0; i < 3; i++) out[i] = operations[i](7, 3);
    out[3] = apply(own, 7, 3);
    out[4] = apply(*chosen, 20, 6);
}
__global__ void replace() { operations[0] = own; }

int main() {
    int *out, host[5];
    Operation* chosen;
    cudaMalloc(&out, sizeof host);
    cudaMalloc(&chosen, sizeof *chosen);
    for (int i = 0; i < 2; i++) {
        choose<<<1, 1>>>(chosen, i);
        all<<<1, 1>>>(out, chosen);
        replace<<<1, 1>>>();
        cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
        for (int x : host) printf("%d ", x);
    }
    cudaFree(out);
    cudaFree(chosen);
}
