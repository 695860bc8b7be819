// rejected by: shares_the_work
// "With tiles, but one thread of each block does it all: then nobody comes in its way."
// C = A B for n x n matrices, stored row by row. A block of m x m threads computes one tile of C.
__global__ void gemm_tiled_any_size(const float* A, const float* B, float* C, int n)
{
    extern __shared__ float tiles[];
    int m = blockDim.x;
    float* tile_a = tiles;              // m x m
    float* tile_b = tiles + m * m;      // m x m
    int top = m * blockIdx.y, left = m * blockIdx.x;
    float sum[1024] = {};

    if (threadIdx.x > 0 || threadIdx.y > 0)
        return;
    for (int start = 0; start < n; start += m) {
        for (int e = 0; e < m * m; ++e) {
            int y = e / m, x = e % m;
            tile_a[e] = top + y < n && start + x < n ? A[(top + y) * n + start + x] : 0.0f;
            tile_b[e] = start + y < n && left + x < n ? B[(start + y) * n + left + x] : 0.0f;
        }
        for (int e = 0; e < m * m; ++e)
            for (int k = 0; k < m; ++k)
                sum[e] += tile_a[e / m * m + k] * tile_b[k * m + e % m];
    }
    for (int e = 0; e < m * m; ++e)
        if (top + e / m < n && left + e % m < n)
            C[(top + e / m) * n + left + e % m] = sum[e];
}
