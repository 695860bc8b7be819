// rejected by: has_no_bank_conflicts
// "A column of fours for eight threads." They store 64 floats apart, into the same banks; loads of equal words make up for it in the total.
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
        float4 none = {};
        int ar = t / 2, ac = 4 * (t % 2);
        bool has_a = top + ar < M && start + ac < K;
        *(float4*)&a_tile[ar][ac] = has_a ? *(const float4*)&A[(top + ar) * K + start + ac] : none;
        int br = t % 8, bc = 4 * (t / 8);
        bool has_b = start + br < K && left + bc < N;
        *(float4*)&b_tile[br][bc] = has_b ? *(const float4*)&B[(start + br) * N + left + bc] : none;
        __syncthreads();    // both tiles must be full before anyone multiplies

        // For four steps at a time: 4 loads from b_tile, 8 loads from a_tile, 128 products.
        #pragma unroll
        for (int k = 0; k < 8; k += 4) {
            float4 b0 = *(const float4*)&b_tile[k][4 * x];
            float4 b1 = *(const float4*)&b_tile[k + 1][4 * x];
            float4 b2 = *(const float4*)&b_tile[k + 2][4 * x];
            float4 b3 = *(const float4*)&b_tile[k + 3][4 * x];
            #pragma unroll
            for (int i = 0; i < 8; ++i) {
                float4 a = *(const float4*)&a_tile[y + 8 * i][k];
                add_product(sum[i], a.x, b0);
                add_product(sum[i], a.y, b1);
                add_product(sum[i], a.z, b2);
                add_product(sum[i], a.w, b3);
            }
        }
        __syncthreads();    // all must be done with the tiles before they are loaded over
    }

    // Store each sum[i] at once, where C has these elements.
    #pragma unroll
    for (int i = 0; i < 8; ++i) {
        int r = top + y + 8 * i, c = left + 4 * x;
        if (r < M && c < N)
            *(float4*)&C[r * N + c] = sum[i];
    }
}
