// prints: -125
// warns: line 8: a and b begin at the same byte
#include <cstdio>

__global__ void both(const float* x, float* out, int n) {
    extern __shared__ float a[], b[];
    int t = threadIdx.x;
    a[t] = x[t], b[t] = -x[n - 1 - t];
    __syncthreads();
    out[t] = a[(t + 1) % n] + b[t];
}

int main() {
    const int n = 64;
    float h[n], *x, *out;
    for (int i = 0; i < n; i++) h[i] = float(i);
    cudaMalloc(&x, sizeof h);
    cudaMalloc(&out, sizeof h);
    cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice);
    both<<<1, n, 2 * sizeof h>>>(x, out, n);
    if (cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost)) return 1;
    std::printf("%g\n", h[0]);
    cudaFree(x);
    cudaFree(out);
}
