// finds: Crash, line 22
// says: the recursion needs more stack than a thread has on a GPU
// says: cudaDeviceSetLimit(cudaLimitStackSize, bytes)
#include <cstdio>

// How many ways lead from one of 8 places through all others.
__device__ int ways(int at, const bool* before)
{
    bool seen[256];
    for (int i = 0; i < 256; i++) seen[i] = before && before[i];
    seen[at] = true;
    int found = 0, left = 0;
    for (int i = 0; i < 8; i++)
        if (!seen[i] && i % 3 != at % 3) left++, found += ways(i, seen);
    return left ? found : 1;
}

__global__ void count(int* out) { out[threadIdx.x] = ways(threadIdx.x, nullptr); }

void run(int* out)
{
    count<<<1, 8>>>(out);
    cudaDeviceSynchronize();
}

int main()
{
    int* out;
    size_t bytes;
    cudaDeviceGetLimit(&bytes, cudaLimitStackSize);
    if (bytes != 1024) return 1;
    cudaMalloc(&out, 8 * sizeof(int));
    run(out);
    if (cudaGetLastError() != cudaErrorIllegalAddress) return 2;
    cudaFree(out);
    return 0;
}
