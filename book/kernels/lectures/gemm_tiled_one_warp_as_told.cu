// finds: Race
// launch: grid=(4, 4), block=(4, 4), args=[numbers('float32', 16, 16), numbers('float32', 16, 16), empty(16, 16), 16], shared_mem=8 * 4 * 4

// L0's tiled product in blocks of 4 x 4 threads, which are all of one warp. By L0's rule
// they may start to compute at once, so the barrier after the loads is left out.
__global__ void gemm_tiled_one_warp(const float* A, const float* B, float* C, int N)
{
    extern __shared__ float shared[];
    const int M = blockDim.x;
    float* tile_A = shared;
    float* tile_B = shared + M * M;
    const int ii = threadIdx.y, jj = threadIdx.x;
    const int row = blockIdx.y * M + ii, col = blockIdx.x * M + jj;
    float sum = 0.0f;

    for (int tk = 0; tk < N / M; ++tk) {
        tile_A[ii * M + jj] = A[row * N + tk * M + jj];
        tile_B[ii * M + jj] = B[(tk * M + ii) * N + col];
        for (int kk = 0; kk < M; ++kk)
            sum += tile_A[ii * M + kk] * tile_B[kk * M + jj];
        __syncthreads();
    }
    C[row * N + col] = sum;
}
