#include <cooperative_groups.h>
#include <cstdio>
#include "tile.cuh"

__global__ void sums(float* out, const Four* in) {
    Four mine = in[threadIdx.x];
    float all = sum_of_block(mine.x + mine.y + mine.z + mine.w);
    if (cooperative_groups::this_thread_block().thread_rank() == 0) out[blockIdx.x] = all;
}
__global__ void copies(char* bytes) { move(bytes + 16 * threadIdx.x + 64, bytes + 16 * threadIdx.x); }

int main() {
    Four in[64], *gpu;
    for (int i = 0; i < 64; i++) in[i] = {float(i), 1, 2, 3};
    float* out;
    cudaMalloc(&gpu, sizeof in);
    cudaMalloc(&out, 2 * sizeof *out);
    cudaMemcpy(gpu, in, sizeof in, cudaMemcpyHostToDevice);
    sums<<<2, 64>>>(out, gpu);
    float got[2];
    cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
    copies<<<1, 4>>>((char*)gpu);
    cudaMemcpy(in, gpu, sizeof in, cudaMemcpyDeviceToHost);
    printf("%g %g %g %g\n", got[0], got[1], in[4].x, in[7].x);
    Pair pairs[5], *device;
    for (int i = 0; i < 5; i++) pairs[i] = {i, i / 2.0};
    cudaMalloc(&device, sizeof pairs);
    cudaMemcpy(device, pairs, sizeof pairs, cudaMemcpyHostToDevice);
    reverse<<<1, 5, sizeof pairs>>>(device, 5);
    cudaMemcpy(pairs, device, sizeof pairs, cudaMemcpyDeviceToHost);
    printf("%d %g %d %g\n", pairs[0].key, pairs[0].value, pairs[4].key, pairs[4].value);
    cudaFree(gpu);
    cudaFree(out);
    cudaFree(device);
}
