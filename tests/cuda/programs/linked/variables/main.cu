#include "counters.cuh"

// Defined where they are only read, and written by the other file.
__constant__ float weights[3];
__device__ float history[4] = {1, 2, 3, 4};
namespace my {
__device__ int* where;
}

__global__ void read(float* out) { out[threadIdx.x] = weights[threadIdx.x] * history[threadIdx.x] + hits; }
__global__ void follow() { printf("%d %u\n", *my::where, hits); }

int main() {
    float *out, host[3];
    cudaMalloc(&out, sizeof host);
    total = 100;
    count(3);
    printf("%d %g\n", total, curve[1]);
    read<<<1, 3>>>(out);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    printf("%g %g %g\n", host[0], host[1], host[2]);
    unsigned seen = 40;
    cudaMemcpyToSymbol(hits, &seen, sizeof seen);
    count(2);
    cudaMemcpyFromSymbol(&seen, hits, sizeof seen);
    printf("%u\n", seen);
    show();
    void* address;
    cudaGetSymbolAddress(&address, total);
    cudaMemcpyToSymbol(my::where, &address, sizeof address);
    follow<<<1, 1>>>();
    cudaDeviceSynchronize();
    cudaFree(out);
}
