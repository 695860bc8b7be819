// prints: 7 7.5
// A block waits until another has published its result.
#include <cstdio>

__global__ void pass_on(float *data, unsigned long long *ready, float *result)
{
    if (blockIdx.x == 0) {
        *data = 7.5f;
        __nv_atomic_store_n(ready, 7ull, __NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_DEVICE);
    } else {
        while (__nv_atomic_load_n(ready, __NV_ATOMIC_ACQUIRE, __NV_THREAD_SCOPE_DEVICE) == 0) {}
        *result = *data;
    }
}

int main()
{
    unsigned long long *ready, seen;
    float *data, *result, passed;
    if (cudaMalloc(&ready, sizeof seen) || cudaMalloc(&data, sizeof(float)) || cudaMalloc(&result, sizeof(float))) {
        return 1;
    }
    cudaMemset(ready, 0, sizeof seen);
    pass_on<<<2, 1>>>(data, ready, result);
    if (cudaGetLastError()) return 1;
    cudaMemcpy(&seen, ready, sizeof seen, cudaMemcpyDeviceToHost);
    cudaMemcpy(&passed, result, sizeof passed, cudaMemcpyDeviceToHost);
    printf("%llu %g\n", seen, passed);
    cudaFree(ready);
    cudaFree(data);
    cudaFree(result);
}
