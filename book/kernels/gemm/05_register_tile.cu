// finds: nothing
// launch: grid=1, block=256, args=[ramp(20, 9), ramp(9, 18), empty(20, 18), 20, 18, 9]

constexpr int BM = 128, BN = 128;  // a block's tile of C
constexpr int BK = 8;              // columns of A, and rows of B, in one phase
constexpr int TM = 8, TN = 8;      // a thread's elements of C
constexpr int THREADS = BM * BN / (TM * TN);

// C = A B. A thread computes TM x TN elements of C, which it keeps in registers: 64
// multiplications for 16 loads from shared memory. All sizes are known when it is compiled, so
// that every loop over them is unrolled, and every index into sum, a and b is a constant: only
// then can these arrays be registers.
__global__ void gemm_register_tile(const float* A, const float* B, float* C, int M, int N, int K)
{
    __shared__ float tile_A[BM][BK], tile_B[BK][BN];
    // The thread's rows are y, y + 16, ...; its columns x, x + 16, ...: lanes side by side read
    // and write words side by side.
    int thread = threadIdx.x, x = thread % (BN / TN), y = thread / (BN / TN);
    int first_row = blockIdx.y * BM, first_col = blockIdx.x * BN;
    float sum[TM][TN] = {};

    for (int first = 0; first < K; first += BK) {
        #pragma unroll
        for (int e = thread; e < BM * BK; e += THREADS) {
            int row = first_row + e / BK, col = first + e % BK;
            tile_A[e / BK][e % BK] = row < M && col < K ? A[row * K + col] : 0.0f;
        }
        #pragma unroll
        for (int e = thread; e < BK * BN; e += THREADS) {
            int row = first + e / BN, col = first_col + e % BN;
            tile_B[e / BN][e % BN] = row < K && col < N ? B[row * N + col] : 0.0f;
        }
        __syncthreads();  // both tiles are whole
        #pragma unroll
        for (int k = 0; k < BK; ++k) {
            float a[TM], b[TN];
            #pragma unroll
            for (int i = 0; i < TM; ++i) a[i] = tile_A[y + i * (BM / TM)][k];
            #pragma unroll
            for (int j = 0; j < TN; ++j) b[j] = tile_B[k][x + j * (BN / TN)];
            #pragma unroll
            for (int i = 0; i < TM; ++i)
                #pragma unroll
                for (int j = 0; j < TN; ++j) sum[i][j] += a[i] * b[j];
        }
        __syncthreads();  // nobody needs these tiles any more
    }
    #pragma unroll
    for (int i = 0; i < TM; ++i)
        #pragma unroll
        for (int j = 0; j < TN; ++j) {
            int row = first_row + y + i * (BM / TM), col = first_col + x + j * (BN / TN);
            if (row < M && col < N) C[row * N + col] = sum[i][j];
        }
}
