// finds: nothing
// launch: grid=1, block=256, args=[ramp(20, 9), ramp(9, 18), empty(20, 18), 20, 18, 9]

constexpr int BM = 128, BN = 128, BK = 8;  // a block's tile of C, and the depth of a phase
constexpr int TM = 8, TN = 8;              // a thread's elements of C, in groups of 4
constexpr int ROW = BM + 4;                // words between two rows of the transposed tile of A

// The elements (row, col) to (row, col + 3) of a matrix, in one load where they
// are inside and lie at a multiple of 16 bytes; what is outside is 0.
__device__ float4 load4(const float* matrix, int row, int col, int rows, int cols)
{
    const float* p = matrix + row * cols + col;
    if (row < rows && col + 4 <= cols && cols % 4 == 0) return *(const float4*)p;
    float4 v = {};
    if (row < rows && col < cols) v.x = p[0];
    if (row < rows && col + 1 < cols) v.y = p[1];
    if (row < rows && col + 2 < cols) v.z = p[2];
    if (row < rows && col + 3 < cols) v.w = p[3];
    return v;
}

// The counterpart of load4.
__device__ void store4(float* matrix, int row, int col, int rows, int cols, const float* v)
{
    float* p = matrix + row * cols + col;
    if (row < rows && col + 4 <= cols && cols % 4 == 0) {
        *(float4*)p = make_float4(v[0], v[1], v[2], v[3]);
        return;
    }
    for (int i = 0; i < 4; ++i)
        if (row < rows && col + i < cols) p[i] = v[i];
}

// C = A B. The tile of A is transposed on its way into shared memory: what a thread needs of it for
// one k now lies side by side, so that it, too, is read four at a time. A lane stores 4 words of one
// column; without the 4 words of padding the two lanes of a row of A would meet in one bank.
__launch_bounds__(256, 2)  // at most 128 registers a thread, so that two blocks fit on a multiprocessor
__global__ void gemm_transposed(const float* A, const float* B, float* C, int M, int N, int K)
{
    __shared__ __align__(16) float tile_A[BK][ROW], tile_B[BK][BN];
    int thread = threadIdx.x, x = thread % 16, y = thread / 16;
    int first_row = blockIdx.y * BM, first_col = blockIdx.x * BN;
    int row_A = thread / 2, col_A = thread % 2 * 4, row_B = thread / 32, col_B = thread % 32 * 4;
    float sum[TM][TN] = {};

    for (int first = 0; first < K; first += BK) {
        float4 v = load4(A, first_row + row_A, first + col_A, M, K);
        tile_A[col_A][row_A] = v.x;
        tile_A[col_A + 1][row_A] = v.y;
        tile_A[col_A + 2][row_A] = v.z;
        tile_A[col_A + 3][row_A] = v.w;
        *(float4*)&tile_B[row_B][col_B] = load4(B, first + row_B, first_col + col_B, K, N);
        __syncthreads();  // both tiles are whole
        #pragma unroll
        for (int k = 0; k < BK; ++k) {
            __align__(16) float a[TM], b[TN];
            #pragma unroll
            for (int i = 0; i < TM; i += 4) *(float4*)&a[i] = *(const float4*)&tile_A[k][4 * y + 16 * i];
            #pragma unroll
            for (int j = 0; j < TN; j += 4) *(float4*)&b[j] = *(const float4*)&tile_B[k][4 * x + 16 * j];
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
        for (int j = 0; j < TN; j += 4)
            store4(C, first_row + 4 * y + 16 * (i / 4 * 4) + i % 4, first_col + 4 * x + 16 * j, M, N, &sum[i][j]);
}
