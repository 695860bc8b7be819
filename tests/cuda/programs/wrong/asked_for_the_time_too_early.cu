// finds: UntimedKernel, line 14
#include <cstdio>

__global__ void nothing() {}

int main() {
    cudaEvent_t begin, end;
    cudaEventCreate(&begin);
    cudaEventCreate(&end);
    cudaEventRecord(begin);
    nothing<<<1, 1>>>();
    cudaEventRecord(end);
    float ms = 0;
    cudaError_t error = cudaEventElapsedTime(&ms, begin, end);
    cudaDeviceSynchronize();
    return error != cudaSuccess;
}
