#include "tile.cuh"

__device__ float sum_of_block(float mine) {
    __shared__ float tile[64];
    tile[threadIdx.x] = mine;
    for (int half = blockDim.x / 2; half; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half) tile[threadIdx.x] += tile[threadIdx.x + half];
    }
    __syncthreads();
    return tile[0];
}

__device__ void move(char* to, const char* from) { *(Four*)to = *(const Four*)from; }

template <class T>
__global__ void reverse(T* values, int n) {
    extern __shared__ char room[];
    T* tile = (T*)room;
    tile[threadIdx.x] = values[threadIdx.x];
    __syncthreads();
    values[threadIdx.x] = tile[n - 1 - threadIdx.x];
}
template __global__ void reverse<Pair>(Pair*, int);
