// prints: c[0] = 5, c[999] = 5
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__device__ float twice(float x) { return __fadd_rn(x, x); }

template <class T> __global__ void add(const T* a, const T* b, T* c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = twice(a[i]) + b[i];
}

int main() {
    const int n = 1000;
    std::vector<float> a(n, 1.5f), b(n, 2.0f), c(n);
    float *d_a, *d_b, *d_c;
    cudaMalloc(&d_a, n * sizeof(float));
    cudaMalloc(&d_b, n * sizeof(float));
    cudaMalloc(&d_c, n * sizeof(float));
    cudaMemcpy(d_a, a.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(d_b, b.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    add<float><<<(n + 255) / 256, 256>>>(d_a, d_b, d_c, n);
    if (cudaError_t error = cudaGetLastError()) return printf("%s\n", cudaGetErrorString(error)), 1;
    cudaMemcpy(c.data(), d_c, n * sizeof(float), cudaMemcpyDeviceToHost);
    printf("c[0] = %g, c[999] = %g\n", c[0], c[999]);
    cudaFree(d_a);
    cudaFree(d_b);
    cudaFree(d_c);
}
