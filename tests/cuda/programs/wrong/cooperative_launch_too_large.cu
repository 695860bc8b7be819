// finds: FailedLaunch, line 12
#include <cooperative_groups.h>
__global__ void k(int* x) {
    cooperative_groups::this_grid().sync();
    if (threadIdx.x == 0) x[blockIdx.x] = 1;
}

int main() {
    int* x;
    cudaMalloc(&x, 100000 * sizeof(int));
    void* arguments[] = {&x};
    cudaError_t error = cudaLaunchCooperativeKernel((void*)k, dim3(100000), dim3(256), arguments);
    cudaFree(x);
    return error == cudaErrorCooperativeLaunchTooLarge ? 1 : 2;
}
