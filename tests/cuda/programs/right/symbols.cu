// prints: 30 of 10 20 30, counted 2
#include <cstdio>

__constant__ int table[3];
__device__ int calls = 0;

__global__ void look_up(int i, int* out) {
    *out = table[i];
    atomicAdd(&calls, 1);
}

int main() {
    int host[3] = {10, 20, 30}, found, counted, *out;
    cudaMalloc(&out, sizeof(int));
    cudaMemcpyToSymbol(table, host, sizeof host);
    for (int i = 1; i < 3; i++) look_up<<<1, 1>>>(i, out);
    cudaMemcpy(&found, out, sizeof found, cudaMemcpyDeviceToHost);
    cudaMemcpyFromSymbol(&counted, calls, sizeof counted);
    int back[3];
    cudaMemcpyFromSymbol(back, table, sizeof back);
    printf("%d of %d %d %d, counted %d\n", found, back[0], back[1], back[2], counted);
    cudaFree(out);
}
