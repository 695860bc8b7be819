// line 10: the goto jumps past the initialization in line 11: declare that variable before the goto
#include <cstdio>

__global__ void inc(int* x) { x[threadIdx.x]++; }

int main()
{
    int* x = nullptr;
    if (cudaMalloc(&x, 64 * sizeof(int)) != cudaSuccess)
        goto fail;
    int threads = 64;
    inc<<<1, threads>>>(x);
    if (cudaDeviceSynchronize() != cudaSuccess)
        goto fail;
    cudaFree(x);
    return 0;
fail:
    printf("failed\n");
    return 1;
}
