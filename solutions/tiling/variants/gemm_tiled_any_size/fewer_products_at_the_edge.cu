// Stores no 0 in a tile: the last phase adds up fewer products, and who has no element of C adds up none.
__global__ void gemm_tiled_any_size(const float* A, const float* B, float* C, int n)
{
    extern __shared__ float tiles[];
    int m = blockDim.x;
    float* tile_a = tiles;
    float* tile_b = tiles + m * m;
    int x = threadIdx.x, y = threadIdx.y;
    int col = blockIdx.x * m + x, row = blockIdx.y * m + y;
    bool mine = row < n && col < n;
    float sum = 0.0f;
    for (int start = 0; start < n; start += m) {
        if (row < n && start + x < n)
            tile_a[y * m + x] = A[row * n + start + x];
        if (start + y < n && col < n)
            tile_b[y * m + x] = B[(start + y) * n + col];
        __syncthreads();
        if (mine)
            for (int k = 0; k < min(m, n - start); ++k)
                sum += tile_a[y * m + k] * tile_b[k * m + x];
        __syncthreads();
    }
    if (mine)
        C[row * n + col] = sum;
}
