%%cuda gemm_vectorized
// C = A B: A is M x K, B is K x N and C is M x N, stored row by row; K and N are multiples of 4.
// A block of 128 threads computes 64 x 64 elements of C.

// Adds a times each of four neighbors.
__device__ void add_product(float4& sum, float a, float4 b)
{
    sum.x += a * b.x;
    sum.y += a * b.y;
    sum.z += a * b.z;
    sum.w += a * b.w;
}

__global__ void gemm_vectorized(const float* A, const float* B, float* C, int M, int N, int K)
{
    __shared__ __align__(16) float a_tile[64][8];
    __shared__ __align__(16) float b_tile[8][64];
    int t = threadIdx.x;
    int x = t % 16, y = t / 16;
    int top = 64 * blockIdx.y, left = 64 * blockIdx.x;      // where the block's part of C begins
    float4 sum[8] = {};         // sum[i] is for row top + y + 8 * i and the columns left + 4 * x to left + 4 * x + 3

    for (int start = 0; start < K; start += 8) {
        // Load four elements of each tile at once; what lies outside a matrix is 0.
        a_tile[t / 2][t % 2 * 4] = (float4)A[(top + t / 2) * K + start + t % 2 * 4];

        // For four steps at a time: 4 loads from b_tile, 8 loads from a_tile, 128 products.
    }

    // Store each sum[i] at once, where C has such elements.
}
