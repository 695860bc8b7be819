// prints: 1024 elements, last 1024, cooperative launch
// A scan by a cooperative launch: the whole grid waits for itself between the two passes.
#include <cooperative_groups.h>

#include <cstdio>
#include <vector>

namespace cg = cooperative_groups;

__global__ void scan(const int* in, int* out, int* sums, int n) {
    extern __shared__ int tile[];
    cg::grid_group grid = cg::this_grid();
    cg::thread_block block = cg::this_thread_block();
    int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;
    tile[t] = i < n ? in[i] : 0;
    block.sync();
    for (int offset = 1; offset < blockDim.x; offset *= 2) {
        int left = t >= offset ? tile[t - offset] : 0;
        block.sync();
        tile[t] += left;
        block.sync();
    }
    if (t == blockDim.x - 1) sums[blockIdx.x] = tile[t];
    grid.sync();
    int before = 0;
    for (int b = 0; b < blockIdx.x; b++) before += sums[b];
    if (i < n) out[i] = before + tile[t];
}

int main() {
    int device = 0, cooperative = 0, multiprocessors = 0, per_multiprocessor = 0;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&cooperative, cudaDevAttrCooperativeLaunch, device);
    cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
    int n = 1024, threads = 128, blocks = n / threads;
    size_t shared = threads * sizeof(int);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_multiprocessor, scan, threads, shared);
    if (!cooperative || blocks > per_multiprocessor * multiprocessors) return 2;

    std::vector<int> host(n, 1);
    int *in, *out, *sums;
    cudaMalloc(&in, n * sizeof(int));
    cudaMalloc(&out, n * sizeof(int));
    cudaMalloc(&sums, blocks * sizeof(int));
    cudaMemcpy(in, host.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    void* arguments[] = {&in, &out, &sums, &n};
    cudaError_t error = cudaLaunchCooperativeKernel((void*)scan, dim3(blocks), dim3(threads), arguments, shared, 0);
    if (error != cudaSuccess) {
        printf("%s\n", cudaGetErrorString(error));
        return 1;
    }
    cudaMemcpy(host.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; i++)
        if (host[i] != i + 1) return 1;
    printf("%d elements, last %d, cooperative launch\n", n, host.back());
    cudaFree(in);
    cudaFree(out);
    cudaFree(sums);
}
