// prints: 900 90
#include <cstdio>

__global__ void tell(int* out)
{
#ifdef __CUDA_ARCH__
    *out = __CUDA_ARCH__;
#endif
}

int main()
{
    int *out, got;
    cudaDeviceProp about;
    cudaGetDeviceProperties(&about, 0);
    cudaMalloc(&out, sizeof(int));
    tell<<<1, 1>>>(out);
    cudaMemcpy(&got, out, sizeof(int), cudaMemcpyDeviceToHost);
    printf("%d %d\n", got, 10 * about.major + about.minor);
    cudaFree(out);
}
