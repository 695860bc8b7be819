// finds: nothing; without barrier 1: Race; without barrier 2: Race
// launch: grid=(2, 2), block=64, args=[ramp(32, 16), ramp(16, 32), empty(32, 32), 32, 16]

constexpr int BM = 16, BN = 16;  // a block's tile of C
constexpr int BK = 4;            // columns of A, and rows of B, in one phase
constexpr int TM = 2, TN = 2;    // a thread's elements of C

// C = A B, with sizes that are multiples of the tiles.
__global__ void four_levels(const float* A, const float* B, float* C, int N, int K)
{
    __shared__ float tile_A[BM][BK], tile_B[BK][BN];
    int t = threadIdx.x, x = TN * (t % (BN / TN)), y = TM * (t / (BN / TN));
    int first_row = BM * blockIdx.y, first_col = BN * blockIdx.x;
    float sum[TM][TN] = {};

    for (int first = 0; first < K; first += BK) {
        tile_A[t / BK][t % BK] = A[(first_row + t / BK) * K + first + t % BK];
        tile_B[t / BN][t % BN] = B[(first + t / BN) * N + first_col + t % BN];
        __syncthreads();  // barrier 1: both tiles are whole
        for (int k = 0; k < BK; ++k) {
            float a[TM], b[TN];
            for (int i = 0; i < TM; ++i) a[i] = tile_A[y + i][k];
            for (int j = 0; j < TN; ++j) b[j] = tile_B[k][x + j];
            for (int i = 0; i < TM; ++i)
                for (int j = 0; j < TN; ++j) sum[i][j] += a[i] * b[j];
        }
        __syncthreads();  // barrier 2: nobody needs these tiles any more
    }
    for (int i = 0; i < TM; ++i)
        for (int j = 0; j < TN; ++j) C[(first_row + y + i) * N + first_col + x + j] = sum[i][j];
}
