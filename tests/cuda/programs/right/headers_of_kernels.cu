// prints: 1.5 + 2 = 3.5, 3 rounds to 3.14062, counted 64, 32 of 32, product 32
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda/std/atomic>
#include <cuda/std/limits>
#include <cuda/std/type_traits>
#include <cuda/std/utility>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_pipeline.h>
#include <mma.h>

#include <cstdio>
#include <utility>

namespace cg = cooperative_groups;
using namespace nvcuda;
using barrier = cuda::barrier<cuda::thread_scope_block>;
using cooperative_groups::this_thread_block;
using Product = wmma::fragment<wmma::accumulator, 16, 16, 16, float>;

template <class T> __host__ __device__ cuda::std::enable_if_t<!cuda::std::is_pointer<T>::value, T> sum(T a, T b) {
    return cuda::std::move(a) + b;
}

__device__ int warp_sum(cg::thread_block_tile<32> warp, int x) { return cg::reduce(warp, x, cg::plus<int>()); }

__global__ void add(const half* a, const half* b, half* out) { *out = sum(*a, *b); }

__global__ void count(cuda::atomic<int, cuda::thread_scope_device>* counter, int* sums) {
    __shared__ barrier all;
    auto block = this_thread_block();
    if (block.thread_rank() == 0) init(&all, block.size());
    block.sync();
    counter->fetch_add(1, cuda::memory_order_relaxed);
    all.arrive_and_wait();
    int mine = warp_sum(cg::tiled_partition<32>(block), 1);
    if (threadIdx.x == 0) sums[0] = mine < cuda::std::numeric_limits<int>::max() ? mine : 0;
}

__global__ void multiply(const half* a, const half* b, float* c) {
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> left;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> right;
    Product product;
    wmma::fill_fragment(product, 0.0f);
    wmma::load_matrix_sync(left, a, 16);
    wmma::load_matrix_sync(right, b, 16);
    wmma::mma_sync(product, left, right, product);
    wmma::store_matrix_sync(c, product, 16, wmma::mem_row_major);
}

int main() {
    half* x;
    cudaMallocManaged(&x, 3 * sizeof(half));
    x[0] = __float2half(1.5f), x[1] = half(2);
    add<<<1, 1>>>(x, x + 1, x + 2);
    if (cudaDeviceSynchronize()) return 1;
    printf("%g + %g = %g, ", __half2float(x[0]), float(x[1]), __half2float(x[2]));
    printf("%d rounds to %g, ", int(__float2bfloat16(3.9f)), float(__nv_bfloat16(3.14159f)));

    cuda::atomic<int, cuda::thread_scope_device>* counter;
    int* sums;
    cudaMallocManaged(&counter, sizeof *counter);
    cudaMallocManaged(&sums, sizeof *sums);
    counter->store(0);
    count<<<1, 64>>>(counter, sums);
    if (cudaDeviceSynchronize()) return 1;
    printf("counted %d, %d of 32, ", counter->load(), sums[0]);

    half* tiles;
    float* product;
    cudaMallocManaged(&tiles, 512 * sizeof(half));
    cudaMallocManaged(&product, 256 * sizeof(float));
    for (int i = 0; i < 512; i++) tiles[i] = __float2half(i < 256 ? 1.0f : 2.0f);
    multiply<<<1, 32>>>(tiles, tiles + 256, product);
    if (cudaDeviceSynchronize()) return 1;
    printf("product %g\n", product[0]);
    cudaFree(x), cudaFree(counter), cudaFree(sums), cudaFree(tiles), cudaFree(product);
}
