// prints: sorted
// More than one block: each passes the sums of its digits to the next by volatile accesses, which PTX calls relaxed.
#include <cub/device/device_radix_sort.cuh>

#include <algorithm>
#include <cstdio>
#include <vector>

int main() {
    const int n = 20000;
    std::vector<unsigned> keys(n), sorted(n);
    for (int i = 0; i < n; i++) keys[i] = 2654435761u * i;
    unsigned *in, *out;
    cudaMalloc(&in, n * sizeof(unsigned));
    cudaMalloc(&out, n * sizeof(unsigned));
    cudaMemcpy(in, keys.data(), n * sizeof(unsigned), cudaMemcpyHostToDevice);
    size_t bytes = 0;
    void* storage = nullptr;
    cub::DeviceRadixSort::SortKeys(storage, bytes, in, out, n, 24, 32);
    cudaMalloc(&storage, bytes);
    cub::DeviceRadixSort::SortKeys(storage, bytes, in, out, n, 24, 32);
    cudaMemcpy(sorted.data(), out, n * sizeof(unsigned), cudaMemcpyDeviceToHost);
    std::stable_sort(keys.begin(), keys.end(), [](unsigned a, unsigned b) { return a >> 24 < b >> 24; });
    printf("%s\n", sorted == keys ? "sorted" : "wrong");
    cudaFree(in);
    cudaFree(out);
    cudaFree(storage);
}
