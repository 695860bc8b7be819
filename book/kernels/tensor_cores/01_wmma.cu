// finds: nothing
// launch: grid=(2, 1), block=(32, 4), args=[numbers("float16", 64, 48), numbers("float16", 48, 32), empty(64, 32), 64, 32, 48]

#include <mma.h>
using namespace nvcuda;

constexpr int WARPS = 4;  // of a block, one below the other

// C = A B, whose sides are multiples of 16, and M one of 64. Each warp computes a tile of 16 x 16, straight from global
// memory.
__global__ void gemm_wmma(const half* A, const half* B, float* C, int M, int N, int K)
{
    int row = 16 * (blockIdx.y * WARPS + threadIdx.y), col = 16 * blockIdx.x;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
    wmma::fill_fragment(sum, 0.0f);
    for (int k = 0; k < K; k += 16) {
        wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a;
        wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> b;
        wmma::load_matrix_sync(a, A + row * K + k, K);
        wmma::load_matrix_sync(b, B + k * N + col, N);
        wmma::mma_sync(sum, a, b, sum);
    }
    wmma::store_matrix_sync(C + row * N + col, sum, N, wmma::mem_row_major);
}
