// prints: 8388608, then 16777216, 16777216, invalid argument; 1 1, 0 0
#include <cstdio>

__global__ void too_much(size_t bytes, int* out)
{
    void* a = malloc(bytes);
    char* b = new char[bytes];
    out[0] = a == nullptr;
    out[1] = b == nullptr;
    free(a);
    delete[] b;
    free(nullptr);
}

__global__ void take(int** out) { *out = new int[4]{1, 2, 3, 4}; }
__global__ void give(int** out) { delete[] *out; }

int main()
{
    size_t first = 0, second = 0, third = 0;
    int *out, full[2], half[2], **pointer;
    if (cudaMalloc(&out, sizeof full) || cudaMalloc(&pointer, sizeof *pointer)) return 1;
    cudaDeviceGetLimit(&first, cudaLimitMallocHeapSize);
    cudaDeviceSetLimit(cudaLimitMallocHeapSize, 16 << 20);
    cudaDeviceGetLimit(&second, cudaLimitMallocHeapSize);
    too_much<<<1, 1>>>(20 << 20, out);
    cudaMemcpy(full, out, sizeof full, cudaMemcpyDeviceToHost);
    too_much<<<1, 1>>>(0, out);
    take<<<1, 1>>>(pointer);
    cudaError_t late = cudaDeviceSetLimit(cudaLimitMallocHeapSize, 32 << 20);
    cudaDeviceGetLimit(&third, cudaLimitMallocHeapSize);
    printf("%zu, then %zu, %zu, %s; ", first, second, third, cudaGetErrorString(late));
    give<<<1, 1>>>(pointer);
    cudaMemcpy(half, out, sizeof half, cudaMemcpyDeviceToHost);
    printf("%d %d, %d %d\n", full[0], full[1], half[0], half[1]);
    cudaFree(out);
    cudaFree(pointer);
    return late != cudaErrorInvalidValue || cudaDeviceSynchronize() || cudaGetLastError() != late;
}
