// finds: nothing; without barrier 1: Race; without barrier 2: Race
// launch: grid=(1, 1), block=256, args=[numbers("float16", 128, 64), numbers("float16", 64, 128), empty(128, 128), 128, 128, 64]

#include <mma.h>
using namespace nvcuda;

constexpr int BM = 128, BN = 128, BK = 32;  // a block's tile of C, and the depth of a phase
constexpr int WM = 32, WN = 64;             // a warp's part of it: 4 x 2 warps
constexpr int PAD = 8;                      // halves after each row, so that rows begin in other banks

// C = A B, whose sides are multiples of BM, BN and BK. A block's warps share the tiles of A and B.
__global__ void gemm_wmma_tiled(const half* A, const half* B, float* C, int M, int N, int K)
{
    __shared__ __align__(32) half tile_A[BM][BK + PAD], tile_B[BK][BN + PAD];
    int thread = threadIdx.x, warp = thread / 32;
    int warp_row = warp / (BN / WN) * WM, warp_col = warp % (BN / WN) * WN;
    A += blockIdx.y * BM * K;
    B += blockIdx.x * BN;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum[WM / 16][WN / 16];
    for (int i = 0; i < WM / 16; ++i)
        for (int j = 0; j < WN / 16; ++j) wmma::fill_fragment(sum[i][j], 0.0f);

    for (int first = 0; first < K; first += BK) {
        for (int i = 8 * thread; i < BM * BK; i += 8 * 256)  // 8 halves at a time
            *(uint4*)&tile_A[i / BK][i % BK] =
                *(const uint4*)&A[i / BK * K + first + i % BK];
        for (int i = 8 * thread; i < BK * BN; i += 8 * 256)
            *(uint4*)&tile_B[i / BN][i % BN] =
                *(const uint4*)&B[(first + i / BN) * N + i % BN];
        __syncthreads();  // barrier 1: the tiles are whole
        for (int k = 0; k < BK; k += 16) {
            wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major>
                a[WM / 16];
            wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major>
                b[WN / 16];
            for (int i = 0; i < WM / 16; ++i)
                wmma::load_matrix_sync(a[i], &tile_A[warp_row + 16 * i][k],
                                       BK + PAD);
            for (int j = 0; j < WN / 16; ++j)
                wmma::load_matrix_sync(b[j], &tile_B[k][warp_col + 16 * j],
                                       BN + PAD);
            for (int i = 0; i < WM / 16; ++i)
                for (int j = 0; j < WN / 16; ++j)
                    wmma::mma_sync(sum[i][j], a[i], b[j], sum[i][j]);
        }
        __syncthreads();  // barrier 2: everybody is done with the tiles
    }
    C += (blockIdx.y * BM + warp_row) * N + blockIdx.x * BN + warp_col;
    for (int i = 0; i < WM / 16; ++i)
        for (int j = 0; j < WN / 16; ++j)
            wmma::store_matrix_sync(&C[16 * i * N + 16 * j], sum[i][j], N, wmma::mem_row_major);
}
