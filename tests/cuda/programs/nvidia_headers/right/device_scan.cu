// prints: 12497500 4999
#include <cstdio>
#include <cub/cub.cuh>

int main()
{
    const int n = 5000;
    static int numbers[n], sum;
    for (int i = 0; i < n; i++) numbers[i] = i;
    int *in, *out, *total;
    if (cudaMalloc(&in, sizeof numbers) || cudaMalloc(&out, sizeof numbers) || cudaMalloc(&total, sizeof sum)) return 1;
    cudaMemcpy(in, numbers, sizeof numbers, cudaMemcpyHostToDevice);
    size_t bytes = 0, more = 0;
    void* storage = nullptr;
    cub::DeviceScan::InclusiveSum(nullptr, bytes, in, out, n);
    cub::DeviceReduce::Max(nullptr, more, in, total, n);
    if (more > bytes) bytes = more;
    if (cudaMalloc(&storage, bytes)) return 1;
    cub::DeviceScan::InclusiveSum(storage, bytes, in, out, n);
    cub::DeviceReduce::Max(storage, bytes, in, total, n);
    if (cudaMemcpy(numbers, out, sizeof numbers, cudaMemcpyDeviceToHost)) return 1;
    cudaMemcpy(&sum, total, sizeof sum, cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; i++)
        if (numbers[i] != i * (i + 1) / 2) return 1;
    printf("%d %d\n", numbers[n - 1], sum);
    return cudaFree(in) + cudaFree(out) + cudaFree(total) + cudaFree(storage);
}
