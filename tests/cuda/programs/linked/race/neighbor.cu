#include "neighbor.cuh"

__device__ int turns;

__device__ int left_of(const int* tile) {
    return tile[threadIdx.x ? threadIdx.x - 1 : 0];
}

__device__ int past(const int* x, int i) {
    return x[i + 1];
}

__device__ int kept(int i) {
    int last[4] = {1, 2, 3, 4};
    return last[i];
}

struct alignas(16) Four {
    int x, y, z, w;
};
__device__ int moved(int at) {
    __shared__ int from[8], to[8];
    for (int i = 0; i < 8; i++) from[i] = i;
    *(Four*)&to[0] = *(const Four*)&from[at];
    return to[3];
}

__global__ void fill(int n) {
    extern __shared__ float room[];
    for (int i = 0; i <= n; i++) room[i] = i;
}
