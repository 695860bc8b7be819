// finds: nothing; without barrier 1: Race; without barrier 2: Race
// launch: for M in (16, 8, 32): grid=(64 // M, 64 // M), block=(M, M), args=[numbers('float32', 64, 64), numbers('float32', 64, 64), empty(64, 64), 64], shared_mem=8 * M * M

// L0: C = A B for N x N matrices, in tiles as large as the block; both tiles lie in one buffer.
__global__ void gemm_tiled(const float* A, const float* B, float* C, int N)
{
    extern __shared__ float shared[];
    const int M = blockDim.x;
    float* tile_A = shared;
    float* tile_B = shared + M * M;
    const int ii = threadIdx.y, jj = threadIdx.x;
    const int i = blockIdx.y * M + ii, j = blockIdx.x * M + jj;
    float dot = 0.0f;

    for (int tk = 0; tk < (N + M - 1) / M; ++tk) {
        const int k_A = tk * M + jj, k_B = tk * M + ii;
        tile_A[ii * M + jj] = 0.0f;
        if (i < N && k_A < N) tile_A[ii * M + jj] = A[i * N + k_A];
        tile_B[ii * M + jj] = 0.0f;
        if (k_B < N && j < N) tile_B[ii * M + jj] = B[k_B * N + j];
        __syncthreads();  // barrier 1: both tiles are whole
        for (int kk = 0; kk < M; ++kk)
            dot += tile_A[ii * M + kk] * tile_B[kk * M + jj];
        __syncthreads();  // barrier 2: nobody needs these tiles any more
    }
    if (i < N && j < N) C[i * N + j] = dot;
}
