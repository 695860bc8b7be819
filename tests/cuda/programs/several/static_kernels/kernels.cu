#include "kernels.h"
__global__ void fill(int* x, int value, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] = value;
}

static __global__ void fill_twice(int* x, int value, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] = 2 * value;
}

void (*kernel_of(int which))(int*, int, int) { return which ? fill_twice : fill; }
