// prints: sum 499500
#include <cstdio>

__global__ void sum(const int* x, int n, int* out) {
    int mine = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x) mine += x[i];
    atomicAdd(out, mine);
}

int main() {
    int *x, *out;
    cudaMallocManaged(&x, 1000 * sizeof(int));
    cudaMallocManaged(&out, sizeof(int));
    for (int i = 0; i < 1000; i++) x[i] = i;
    *out = 0;
    sum<<<1, 128>>>(x, 1000, out);
    cudaDeviceSynchronize();
    printf("sum %d\n", *out);
    cudaFree(x);
    cudaFree(out);
}
