// line 12: use of undeclared identifier 'cudaMemcpyDevicetoHost'; did you mean 'cudaMemcpyDeviceToHost'?
#include <cstdio>

__global__ void k(int* x) { x[threadIdx.x] = threadIdx.x; }

int main()
{
    int h[64];
    int* d;
    cudaMalloc(&d, sizeof h);
    k<<<1, 64>>>(d);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDevicetoHost);
    printf("%d\n", h[5]);
    cudaFree(d);
}
