// finds: CopyOutOfBounds, line 11
// The other side of a copy to a variable is memory as any other.
#include <cstdio>

__device__ float last[8];

int main() {
    float* x;
    cudaMalloc(&x, 4 * sizeof(float));
    cudaMemset(x, 0, 4 * sizeof(float));
    if (cudaMemcpyToSymbol(last, x, 8 * sizeof(float), 0, cudaMemcpyDeviceToDevice)) puts("no");
    cudaFree(x);
    return 1;
}
