// line 14: square is not a kernel: <<<...>>> launches only a function that is declared __global__ void
#include <cstdio>

__device__ void square(float* x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] *= x[i];
}

int main()
{
    float* x;
    cudaMallocManaged(&x, 256 * sizeof(float));
    square<<<1, 256>>>(x, 256);
    cudaDeviceSynchronize();
    printf("%f\n", x[0]);
    cudaFree(x);
}
