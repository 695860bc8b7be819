// finds: nothing
// launch: grid=(3, 3), block=(8, 8), args=[ramp(20, 9), ramp(9, 18), empty(20, 18), 20, 18, 9], shared_mem=2*8*8*4

// C = A B. A block of m x m threads computes one m x m tile of C, one element a thread.
// What the block needs is fetched once into shared memory, and used m times from there.
__global__ void gemm_tiled(const float* A, const float* B, float* C, int M, int N, int K)
{
    extern __shared__ float tiles[];
    int m = blockDim.x;
    float* tile_A = tiles;          // m x m
    float* tile_B = tiles + m * m;  // m x m
    int x = threadIdx.x, col = blockIdx.x * m + x;
    int y = threadIdx.y, row = blockIdx.y * m + y;
    float sum = 0.0f;

    for (int first = 0; first < K; first += m) {
        tile_A[y * m + x] = row < M && first + x < K ? A[row * K + first + x] : 0.0f;
        tile_B[y * m + x] = first + y < K && col < N ? B[(first + y) * N + col] : 0.0f;
        __syncthreads();  // both tiles are whole
        for (int k = 0; k < m; ++k)
            sum += tile_A[y * m + k] * tile_B[k * m + x];
        __syncthreads();  // nobody needs these tiles any more
    }
    if (row < M && col < N) C[row * N + col] = sum;
}
