// prints: 3.11563
#include <cstdio>
#include <curand_kernel.h>

__global__ void count(unsigned* hits, int rounds)
{
    curandState state;
    curand_init(1234, blockIdx.x * blockDim.x + threadIdx.x, 0, &state);
    unsigned inside = 0;
    for (int k = 0; k < rounds; k++) {
        float x = curand_uniform(&state), y = curand_uniform(&state);
        inside += x * x + y * y <= 1;
    }
    atomicAdd(hits, inside);
}

int main()
{
    unsigned *d, hits;
    if (cudaMalloc(&d, sizeof hits)) return 1;
    cudaMemset(d, 0, sizeof hits);
    count<<<4, 64>>>(d, 20);
    if (cudaGetLastError()) return 1;
    cudaMemcpy(&hits, d, sizeof hits, cudaMemcpyDeviceToHost);
    printf("%g\n", 4.0 * hits / (4 * 64 * 20));
    return cudaFree(d);
}
