// prints: 900 900 900 90 90
#include <cstdio>

// CUB launches a kernel with the block of the generation that it is told in the host's half.
__global__ void tell(int* out)
{
#ifdef __CUDA_ARCH__
    out[0] = __CUDA_ARCH__;
#endif
    out[1] = __CUDA_ARCH_LIST__;
}

int main()
{
    int *out, got[2];
    cudaDeviceProp about;
    cudaFuncAttributes of_kernel;
    cudaGetDeviceProperties(&about, 0);
    if (cudaFuncGetAttributes(&of_kernel, tell)) return 1;
    cudaMalloc(&out, sizeof got);
    tell<<<1, 1>>>(out);
    cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
    int generation = 10 * about.major + about.minor;
    printf("%d %d %d %d %d\n", got[0], got[1], __CUDA_ARCH_LIST__, generation, of_kernel.ptxVersion);
    cudaFree(out);
}
