#include "filter.h"
#include "constants.cuh"
#include "shared.cuh"

__global__ void apply(float* out, const float* in, int n)
{
    __shared__ float tile[BLOCK + 4];
    const int i = blockIdx.x * BLOCK + threadIdx.x;
    load_tile<BLOCK, 4>(tile, in, n);
    __syncthreads();
    float sum = 0;
    for (int tap = 0; tap < the_filter.taps; tap++) sum += the_filter.weight[tap] * tile[threadIdx.x + tap];
    if (i < n) out[i] = sum;
}

extern "C" int filter_set(const filter* f)
{
    return cudaMemcpyToSymbol(the_filter, f, sizeof *f);
}

extern "C" int filter_run(float* values, int n)
{
    float *in, *out;
    if (cudaMalloc(&in, n * sizeof *in) || cudaMalloc(&out, n * sizeof *out)) return 1;
    cudaMemcpy(in, values, n * sizeof *in, cudaMemcpyHostToDevice);
    apply<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(out, in, n);
    cudaMemcpy(values, out, n * sizeof *out, cudaMemcpyDeviceToHost);
    cudaFree(in);
    cudaFree(out);
    return cudaGetLastError();
}
