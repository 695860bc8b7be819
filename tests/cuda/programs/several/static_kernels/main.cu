#include "kernels.h"
#include <cstdio>

int main()
{
    const int n = 40;
    int *x, h[n];
    if (cudaMalloc(&x, sizeof h)) return 1;
    fill<<<2, 32>>>(x, 3, n); // of another file
    left(x, n);
    right(x, n);
    left(x, n);
    cudaMemcpy(h, x, sizeof h, cudaMemcpyDeviceToHost);
    printf("%d %d\n", h[0], h[n - 1]);
    kernel_of(1)<<<2, 32>>>(x, 21, n);
    cudaMemcpy(h, x, sizeof h, cudaMemcpyDeviceToHost);
    printf("%d\n", h[n - 1]);
    int value = 9, count = n;
    void* arguments[] = {&x, &value, &count};
    if (cudaLaunchKernel((const void*)fill, 2, 32, arguments, 0, 0)) return 1;
    cudaMemcpy(h, x, sizeof h, cudaMemcpyDeviceToHost);
    printf("%d %s\n", h[n - 1], cudaGetErrorString(cudaGetLastError()));
    cudaFree(x);
}
