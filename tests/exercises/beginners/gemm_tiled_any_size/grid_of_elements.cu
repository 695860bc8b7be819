%%values gemm_tiled_any_size
# n: side of the matrices    m: side of a tile
grid = n, n
block = m, m
shared_mem = 8 * m * m

%%cuda gemm_tiled_any_size
// C = A B for n x n matrices, stored row by row. A block of m x m threads computes one tile of C.
__global__ void gemm_tiled_any_size(const float* A, const float* B, float* C, int n)
{
    extern __shared__ float tiles[];
    int m = blockDim.x;
    float* tile_a = tiles;              // m x m
    float* tile_b = tiles + m * m;      // m x m
    float sum = 0.0f;

    // Which row and column of C are this thread's?
    int x = threadIdx.x, y = threadIdx.y;
    int row = blockIdx.y * m + y;
    int col = blockIdx.x * m + x;

    // For each phase: load one element of each tile, then add up m products.
    for (int first = 0; first < n; first += m) {
        tile_a[y * m + x] = row < n && first + x < n ? A[row * n + first + x] : 0;
        tile_b[y * m + x] = first + y < n && col < n ? B[(first + y) * n + col] : 0;
        __syncthreads();
        for (int k = 0; k < m; k++)
            sum += tile_a[y * m + k] * tile_b[k * m + x];
        __syncthreads();
    }

    // Store the sum, where C has such an element.
    if (row < n && col < n) C[row * n + col] = sum;
}
