// rejected by: has_no_races
// perhaps also: reads_only_what_was_written, matches_numpy
// A small block is one warp, which need not wait for others.
__device__ void hand_over(int m)
{
    if (m < 8)
        __syncwarp();
    else
        __syncthreads();
}

// C = A B for n x n matrices, stored row by row. A block of m x m threads computes one tile of C.
__global__ void gemm_tiled_any_size(const float* A, const float* B, float* C, int n)
{
    extern __shared__ float tiles[];
    int m = blockDim.x;
    float* tile_a = tiles;              // m x m
    float* tile_b = tiles + m * m;      // m x m
    float sum = 0.0f;

    int x = threadIdx.x, y = threadIdx.y;
    int row = m * blockIdx.y + y;
    int col = m * blockIdx.x + x;

    for (int start = 0; start < n; start += m) {
        int j = start + x, i = start + y;
        tile_a[y * m + x] = row < n && j < n ? A[row * n + j] : 0.0f;
        tile_b[y * m + x] = i < n && col < n ? B[i * n + col] : 0.0f;
        hand_over(m);
        for (int s = 0; s < m; ++s)
            sum += tile_a[y * m + s] * tile_b[s * m + x];
        hand_over(m);
    }

    if (row < n && col < n)
        C[row * n + col] = sum;
}
