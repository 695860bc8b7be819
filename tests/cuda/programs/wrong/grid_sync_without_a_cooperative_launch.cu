// finds: FailedLaunch, line 11
#include <cooperative_groups.h>
__global__ void k(int* x) {
    x[blockIdx.x] = 1;
    cooperative_groups::this_grid().sync();
    x[blockIdx.x] += x[(blockIdx.x + 1) % gridDim.x];
}
int main() {
    int* x;
    cudaMalloc(&x, 4 * sizeof(int));
    k<<<4, 1>>>(x);
    bool failed = cudaDeviceSynchronize() || cudaGetLastError();
    cudaFree(x);
    return failed;
}
