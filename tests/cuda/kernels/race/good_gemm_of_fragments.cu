// kernel: gemm   grid: 2,2   block: 64
// args: a float16[32x64] random, b float16[64x32] random, c float32[32x32] poison
// expect: nothing
// check: c == a.astype(np.float64) @ b.astype(np.float64)
#include <mma.h>
using namespace nvcuda;
// Two warps multiply a tile of 16 x 16, each one half of the steps along k; a tile of a and of b at a time.
__global__ void gemm(const half* a, const half* b, float* c)
{
    __shared__ half as[16][32], bs[32][16];
    __shared__ float sums[16][16];
    int row = blockIdx.y * 16, column = blockIdx.x * 16, warp = threadIdx.x / 32;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
    wmma::fill_fragment(sum, 0.0f);
    for (int k = 0; k < 64; k += 32) {
        for (int i = threadIdx.x; i < 512; i += 64) {
            as[i / 32][i % 32] = a[(row + i / 32) * 64 + k + i % 32];
            bs[i / 16][i % 16] = b[(k + i / 16) * 32 + column + i % 16]; // (1)
        }
        __syncthreads();
        wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> x;
        wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> y;
        wmma::load_matrix_sync(x, &as[0][warp * 16], 32);
        wmma::load_matrix_sync(y, &bs[warp * 16][0], 16); // (2)
        wmma::mma_sync(sum, x, y, sum);
        __syncthreads();
    }
    if (warp) wmma::store_matrix_sync(&sums[0][0], sum, 16, wmma::mem_row_major);
    __syncthreads();
    if (warp) return;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> other;
    wmma::load_matrix_sync(other, &sums[0][0], 16, wmma::mem_row_major);
    for (int i = 0; i < sum.num_elements; i++) sum.x[i] += other.x[i];
    wmma::store_matrix_sync(c + row * 32 + column, sum, 32, wmma::mem_row_major);
}
