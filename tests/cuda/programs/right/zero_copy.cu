// prints: histogram 26 26 of 52 letters, mapped 1
// Pinned memory that a kernel reads where it lies, and a histogram first in shared memory.
#include <cctype>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <string>

constexpr int LETTERS = 26;

__global__ void histogram(const char* text, int n, unsigned* counts) {
    __shared__ unsigned mine[LETTERS];
    for (int i = threadIdx.x; i < LETTERS; i += blockDim.x) mine[i] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
        char letter = text[i];
        if (letter >= 'a' && letter <= 'z') atomicAdd(&mine[letter - 'a'], 1u);
    }
    __syncthreads();
    for (int i = threadIdx.x; i < LETTERS; i += blockDim.x)
        if (mine[i]) atomicAdd(&counts[i], mine[i]);
}

int main() {
    cudaSetDeviceFlags(cudaDeviceMapHost);
    cudaDeviceProp properties;
    cudaGetDeviceProperties(&properties, 0);
    std::string text;
    for (int i = 0; i < 52; i++) text += char('a' + i % LETTERS);
    text += " -- 12345";
    char *host, *mapped;
    cudaHostAlloc((void**)&host, text.size(), cudaHostAllocMapped);
    std::memcpy(host, text.data(), text.size());
    if (cudaHostGetDevicePointer((void**)&mapped, host, 0) != cudaSuccess) return 1;
    unsigned *counts, host_counts[LETTERS] = {};
    cudaMalloc(&counts, sizeof host_counts);
    cudaMemset(counts, 0, sizeof host_counts);
    histogram<<<2, 64>>>(mapped, int(text.size()), counts);
    cudaMemcpy(host_counts, counts, sizeof host_counts, cudaMemcpyDeviceToHost);
    int letters = 0, total = 0;
    for (unsigned count : host_counts) letters += count == 2, total += count;
    std::cout << "histogram " << letters << " " << LETTERS << " of " << total << " letters, mapped "
              << properties.canMapHostMemory << std::endl;
    cudaFree(counts);
    cudaFreeHost(host);
}
