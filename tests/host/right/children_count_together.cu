// prints: 85 24 65 1 85
// Grids launched by grids count by atomics, whatever runs first. A launch that would be nested too deeply tells so.
#include <cstdio>

__global__ void count(int* total, int depth) {
    atomicAdd(total, 1);
    if (depth < 3) count<<<1, 4, 0, cudaStreamFireAndForget>>>(total, depth + 1);
    atomicAdd(total + 1, 1);
}

__global__ void nest(int* depth, int* error, int most) {
    *depth = *depth + 1;
    if (*depth < most) nest<<<1, 1>>>(depth, error, most);
    atomicAdd(error, int(cudaPeekAtLastError() != cudaSuccess));
}

__global__ void name(int* number) {
    const char* text = cudaGetErrorName(cudaErrorLaunchMaxDepthExceeded);
    *number = text[8] == 'r' ? 65 : 0;
}

int main() {
    int *x, host[5];
    cudaMalloc(&x, sizeof host);
    cudaMemset(x, 0, sizeof host);
    count<<<1, 1>>>(x, 0);
    nest<<<1, 1>>>(x + 2, x + 3, 24);
    name<<<1, 1>>>(x + 4);
    cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost);
    printf("%d %d %d %d %d\n", host[0], host[2], host[4], host[3] == 0, host[1]);
    cudaFree(x);
}
// nvcc: -rdc=true
