// prints: 0 6 3 16
// Variables that begin as zeros, of which the host fills a part.
#include <cstdio>

__constant__ int nothing[4];
__constant__ int filter[16];
__device__ int cleared[4];
__device__ int sums[4];
struct Options {
    int first, second;
};
__constant__ Options options;

// What the host has not filled is written here, even if it is by zeros.
__global__ void clear() { cleared[threadIdx.x + 1] = 0; }
__global__ void add() { atomicAdd(&sums[threadIdx.x / 2], threadIdx.x); }

__global__ void read(int taps, int* out) {
    for (int i = 0; i < 4; i++) out[0] += nothing[i];
    for (int i = 0; i < taps; i++) out[1] += filter[i];
    for (int i = 0; i < 4; i++) out[2] += cleared[i];
    for (int i = 0; i < 2; i++) out[3] += sums[i];
    Options copy = options;
    out[3] += copy.first;
}

int main() {
    int given[4] = {1, 2, 3, 9}, zeros[4] = {}, *out;
    cudaMalloc(&out, sizeof zeros);
    cudaMemcpy(out, zeros, sizeof zeros, cudaMemcpyHostToDevice);
    cudaMemcpyToSymbol(filter, given, sizeof(int));
    cudaMemcpyToSymbol(filter, given + 1, 2 * sizeof(int), sizeof(int));
    cudaMemcpyToSymbol(cleared, given + 2, sizeof(int));
    cudaMemcpyToSymbol(options, given, sizeof(int));
    clear<<<1, 3>>>();
    cudaMemcpyToSymbol(sums, given + 3, sizeof(int));
    cudaMemcpyToSymbol(sums, zeros, sizeof(int), sizeof(int));
    add<<<1, 4>>>();
    read<<<1, 1>>>(3, out);
    cudaMemcpy(given, out, sizeof given, cudaMemcpyDeviceToHost);
    printf("%d %d %d %d\n", given[0], given[1], given[2], given[3]);
    cudaFree(out);
}
