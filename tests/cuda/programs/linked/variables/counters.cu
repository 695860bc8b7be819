#include "counters.cuh"

__device__ unsigned hits = 5;
__managed__ int total;
__managed__ double curve[2] = {1, 2};

__global__ void step() {
    hits++;
    total += int(weights[2]);
    curve[1] *= 2;
}

void count(int times) {
    const float w[] = {0.5f, 2, 7};
    cudaMemcpyToSymbol(weights, w, sizeof w);
    for (int i = 0; i < times; i++) step<<<1, 1>>>();
    cudaDeviceSynchronize();
}

__global__ void change() { history[3] = weights[0]; }

void show() {
    float h[4];
    change<<<1, 1>>>();
    cudaMemcpyFromSymbol(h, history, sizeof h);
    size_t size;
    cudaGetSymbolSize(&size, weights);
    printf("%g %g %zu %d\n", h[0], h[3], size, total);
}
