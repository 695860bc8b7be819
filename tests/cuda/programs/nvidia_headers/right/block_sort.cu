// prints: 16192 16191 5392
#include <cstdio>
#include <cub/block/block_radix_sort.cuh>
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/warp/warp_reduce.cuh>

constexpr int THREADS = 128;

__global__ void each(const int* in, int* out, int* sorted)
{
    using Sum = cub::BlockReduce<int, THREADS>;
    using Sort = cub::BlockRadixSort<int, THREADS, 2>;
    using Scan = cub::BlockScan<int, THREADS>;
    using Warp = cub::WarpReduce<int>;
    __shared__ union {
        typename Sum::TempStorage sum;
        typename Sort::TempStorage sort;
        typename Scan::TempStorage scan;
        typename Warp::TempStorage warps[THREADS / 32];
    } storage;
    int t = threadIdx.x, value = in[t], before;
    int sum = Sum(storage.sum).Sum(value);
    if (t == 0) out[0] = sum;
    __syncthreads();
    int keys[2] = {in[2 * t], in[2 * t + 1]};
    Sort(storage.sort).Sort(keys);
    sorted[2 * t] = keys[0];
    sorted[2 * t + 1] = keys[1];
    __syncthreads();
    Scan(storage.scan).ExclusiveSum(value, before);
    if (t == THREADS - 1) out[1] = before;
    __syncthreads();
    int of_warp = Warp(storage.warps[t / 32]).Sum(value);
    if (t == 0) out[2] = of_warp;
}

int main()
{
    int numbers[2 * THREADS], out[3];
    for (int i = 0; i < 2 * THREADS; i++) numbers[i] = i * 127 % (2 * THREADS);
    int *in, *sorted, *d;
    if (cudaMalloc(&in, sizeof numbers) || cudaMalloc(&sorted, sizeof numbers) || cudaMalloc(&d, sizeof out)) return 1;
    cudaMemcpy(in, numbers, sizeof numbers, cudaMemcpyHostToDevice);
    each<<<1, THREADS>>>(in, d, sorted);
    if (cudaMemcpy(out, d, sizeof out, cudaMemcpyDeviceToHost)) return 1;
    cudaMemcpy(numbers, sorted, sizeof numbers, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 2 * THREADS; i++)
        if (numbers[i] != i) return 1;
    printf("%d %d %d\n", out[0], out[1], out[2]);
    return cudaFree(in) + cudaFree(sorted) + cudaFree(d);
}
