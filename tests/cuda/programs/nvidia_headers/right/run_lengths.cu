// prints: 30 of 100
#include <cub/device/device_run_length_encode.cuh>

#include <cstdio>
#include <vector>

int main() {
    const int n = 3000;
    std::vector<unsigned long long> values(n);
    std::vector<int> lengths(n);
    for (int i = 0; i < n; i++) values[i] = i / 100;
    unsigned long long *in, *out;
    int *counts, *found, runs;
    cudaMalloc(&in, n * sizeof(*in));
    cudaMalloc(&out, n * sizeof(*out));
    cudaMalloc(&counts, n * sizeof(int));
    cudaMalloc(&found, sizeof(int));
    cudaMemcpy(in, values.data(), n * sizeof(*in), cudaMemcpyHostToDevice);
    size_t bytes = 0;
    void* storage = nullptr;
    cub::DeviceRunLengthEncode::Encode(storage, bytes, in, out, counts, found, n);
    cudaMalloc(&storage, bytes);
    cub::DeviceRunLengthEncode::Encode(storage, bytes, in, out, counts, found, n);
    cudaMemcpy(&runs, found, sizeof(int), cudaMemcpyDeviceToHost);
    cudaMemcpy(lengths.data(), counts, runs * sizeof(int), cudaMemcpyDeviceToHost);
    printf("%d of %d\n", runs, lengths[runs - 1]);
    cudaFree(in);
    cudaFree(out);
    cudaFree(counts);
    cudaFree(found);
    cudaFree(storage);
}
