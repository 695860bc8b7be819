// finds: Race, line 30
// says: line 19 int sum = Sum(storage).Sum(value);
// says: line 20 int most = Sum(storage).Reduce(value, Larger());
#include <cstdio>
#include <cub/block/block_radix_sort.cuh>
#include <cub/block/block_reduce.cuh>

constexpr int THREADS = 128;

struct Larger {
    __device__ int operator()(int a, int b) const { return a > b ? a : b; }
};

__global__ void both(const int* in, int* out)
{
    using Sum = cub::BlockReduce<int, THREADS>;
    __shared__ typename Sum::TempStorage storage;
    int value = in[threadIdx.x];
    int sum = Sum(storage).Sum(value);
    int most = Sum(storage).Reduce(value, Larger());
    if (threadIdx.x == 0) out[0] = sum, out[1] = most;
}

int main()
{
    int numbers[THREADS] = {}, out[2];
    int *in, *d;
    if (cudaMalloc(&in, sizeof numbers) || cudaMalloc(&d, sizeof out)) return 1;
    cudaMemcpy(in, numbers, sizeof numbers, cudaMemcpyHostToDevice);
    both<<<1, THREADS>>>(in, d);
    if (cudaMemcpy(out, d, sizeof out, cudaMemcpyDeviceToHost)) return 1;
    return cudaFree(in) + cudaFree(d);
}
