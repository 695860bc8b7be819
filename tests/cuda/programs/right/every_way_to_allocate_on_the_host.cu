// prints: 64 64 64 64 64 64
// Each array has exactly the bytes that are copied, and some begin within a block.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <memory>
#include <vector>

__global__ void fill(int* out) { out[threadIdx.x] = 1; }

int main() {
    const size_t bytes = 64 * sizeof(int);
    int* d;
    cudaMalloc(&d, bytes);
    fill<<<1, 64>>>(d);

    int* grown = (int*)malloc(4);
    for (size_t size = 8; size <= bytes; size *= 2) grown = (int*)realloc(grown, size);
    int* counted = (int*)reallocarray(calloc(32, sizeof(int)), 64, sizeof(int));
    int* aligned = (int*)aligned_alloc(64, bytes);
    void* posix;
    if (posix_memalign(&posix, 128, bytes)) return 1;
    std::vector<int> pushed;
    for (int i = 0; i < 65; i++) pushed.push_back(i);
    std::unique_ptr<int[]> owned(new int[64]);
    // Blocks that come and go, and whose addresses others get.
    for (int i = 0; i < 20000; i++) {
        int* small = (int*)malloc(16 + i % 300);
        if (i % 3) free(small);
        else if (i % 2) delete[] new char[i + 1];
    }

    int* all[] = {grown, counted, aligned, (int*)posix, pushed.data() + 1, owned.get()};
    for (int* to : all) {
        cudaMemcpy(to, d, bytes, cudaMemcpyDeviceToHost);
        int sum = 0;
        for (int i = 0; i < 64; i++) sum += to[i];
        printf("%d%s", sum, to == owned.get() ? "\n" : " ");
    }
    free(strdup("text"));
    for (int* one : {grown, counted, aligned, (int*)posix}) free(one);
    cudaFree(d);
    return 0;
}
