// prints: 1.5 302, 0.100098 3.09375, 0.5
#include <cstdio>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

template <class To, class From> __global__ void convert(To* to, const From* from) {
    to[threadIdx.x] = static_cast<To>(from[threadIdx.x]);
}

int main() {
    __nv_bfloat16* b;
    __half* h;
    cudaMallocManaged(&b, 4 * sizeof *b);
    cudaMallocManaged(&h, 4 * sizeof *h);
    for (int i = 0; i < 4; ++i) b[i] = 1.5f + i * 100;
    convert<<<1, 4>>>(h, b);
    cudaDeviceSynchronize();
    printf("%g %g, ", float(h[0]), float(h[3]));
    for (int i = 0; i < 4; ++i) h[i] = 0.1f + i;
    convert<<<1, 4>>>(b, h);
    cudaDeviceSynchronize();
    printf("%g %g, %g\n", float(b[0]), float(b[3]), float(__half(__nv_bfloat16(0.5f))));
    cudaFree(b);
    cudaFree(h);
}
