#include <cstdio>
#include "vector.cuh"

__device__ int odd(int n, int steps) { return collatz(3 * n + 1, steps + 1); }

__global__ void use(float* f, int* i) {
    int t = threadIdx.x;
    Vector v = geometry::scaled({float(t), 2}, 0.5f);
    f[t] = geometry::dot(v, {2, 3});
    i[t] = collatz(t + 1) + 1000 * plain(t) + square(t) * 100000 + int(twice(long(t))) * 10000000;
}

int main() {
    const int n = 8;
    float *f, hf[n];
    int *i, hi[n];
    cudaMalloc(&f, sizeof hf);
    cudaMalloc(&i, sizeof hi);
    use<<<1, n>>>(f, i);
    cudaMemcpy(hf, f, sizeof hf, cudaMemcpyDeviceToHost);
    cudaMemcpy(hi, i, sizeof hi, cudaMemcpyDeviceToHost);
    for (int k = 0; k < n; k++) printf("%g %d\n", hf[k], hi[k]);
    printf("%d\n", square(12));
    cudaFree(f);
    cudaFree(i);
}
