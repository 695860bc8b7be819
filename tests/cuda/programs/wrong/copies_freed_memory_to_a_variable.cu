// finds: UseAfterFree, line 12
// The other side of a copy to a variable is memory as any other.
#include <cstdio>

__device__ float last[4];

int main() {
    float* x;
    cudaMalloc(&x, 4 * sizeof(float));
    cudaMemset(x, 0, 4 * sizeof(float));
    cudaFree(x);
    if (cudaMemcpyToSymbol(last, x, 4 * sizeof(float), 0, cudaMemcpyDeviceToDevice)) return puts("no"), 1;
}
