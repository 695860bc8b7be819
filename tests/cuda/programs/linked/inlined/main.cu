#include "shapes.cuh"

int main() {
    float *out, host[3];
    cudaMalloc(&out, sizeof host);
    fill<2><<<1, 3>>>(out);
    fill<2><<<1, 3>>>(out);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    printf("%g %g %g\n", host[0], host[1], host[2]);
    cudaFree(out);
    other();
    int n;
    float first;
    cudaMemcpyFromSymbol(&n, calls, sizeof n);
    cudaMemcpyFromSymbol(&first, origin<float>, sizeof first);
    printf("%d %g\n", n, first);
}
