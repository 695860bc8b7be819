// line 9: this else belongs to no if: a ; after the if's condition ends it, and several statements need {...}
#include <cstdio>

__global__ void k(float* x, int n)
{
    int i = threadIdx.x;
    if (i < n);
        x[i] = 1;
    else
        x[i] = 0;
}

int main()
{
    float* x;
    cudaMallocManaged(&x, 256);
    k<<<1, 64>>>(x, 32);
    cudaDeviceSynchronize();
    cudaFree(x);
}
