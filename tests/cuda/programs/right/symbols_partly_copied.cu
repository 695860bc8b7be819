// prints: 5 of the GPU's, 1 9 3
#include <cstdio>

namespace {
__constant__ int table[3] = {1, 2, 3};
}
static __device__ int calls = 5;

template <int N>
__global__ void copy(int* out) {
    for (int i = 0; i < N; i++) out[i] = table[i];
}

int main() {
    int nine = 9, declared, found[3], *out;
    cudaMemcpyFromSymbol(&declared, calls, sizeof declared);
    cudaMalloc(&out, sizeof found);
    cudaMemcpyToSymbol(table, &nine, sizeof nine, sizeof(int));
    copy<3><<<1, 1>>>(out);
    cudaMemcpy(found, out, sizeof found, cudaMemcpyDeviceToHost);
    printf("%d of the GPU's, %d %d %d\n", declared, found[0], found[1], found[2]);
    cudaFree(out);
}
