// prints: total 2016, largest 63, at 63
// CUB's collectives in heads, aliases and template arguments that the host's half reads, too.
#include <cstdio>
#include <cub/cub.cuh>

template <class T> using Reduce = cub::BlockReduce<T, 64, cub::BLOCK_REDUCE_RAKING>;
using Pair = cub::KeyValuePair<int, float>;

template <class T> __device__ T total(T x, typename Reduce<T>::TempStorage& storage) { return Reduce<T>(storage).Sum(x); }

template <cub::BlockReduceAlgorithm how> __global__ void reduce(const float* in, float* out, Pair* at) {
    using Pairs = cub::BlockReduce<Pair, 64, how>;
    __shared__ union {
        typename Reduce<float>::TempStorage numbers;
        typename Pairs::TempStorage pairs;
    } storage;
    float sum = total(in[threadIdx.x], storage.numbers);
    __syncthreads();
    Pair largest = Pairs(storage.pairs).Reduce(Pair{int(threadIdx.x), in[threadIdx.x]}, cub::ArgMax());
    if (threadIdx.x == 0) *out = sum, *at = largest;
}

int main() {
    float host[64], sum, *in, *out;
    Pair largest, *at;
    for (int i = 0; i < 64; i++) host[i] = float(i);
    cudaMalloc(&in, sizeof host);
    cudaMalloc(&out, sizeof sum);
    cudaMalloc(&at, sizeof largest);
    cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
    reduce<cub::BLOCK_REDUCE_WARP_REDUCTIONS><<<1, 64>>>(in, out, at);
    cudaMemcpy(&sum, out, sizeof sum, cudaMemcpyDeviceToHost);
    cudaMemcpy(&largest, at, sizeof largest, cudaMemcpyDeviceToHost);
    printf("total %g, largest %g, at %d\n", sum, largest.value, largest.key);
    cudaFree(in);
    cudaFree(out);
    cudaFree(at);
}
