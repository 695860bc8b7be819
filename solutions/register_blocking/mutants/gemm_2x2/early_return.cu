// rejected by: reaches_every_barrier
// perhaps also: matches_numpy, is_faster_than, reads_only_what_was_written
// "Threads outside C leave first."
// C = A B: A is M x K, B is K x N and C is M x N, stored row by row. A block of 16 x 16 threads computes 32 x 32 elements of C.
__global__ void gemm_2x2(const float* A, const float* B, float* C, int M, int N, int K)
{
    __shared__ float a_tile[32][16];
    __shared__ float b_tile[16][32];
    int x = threadIdx.x, y = threadIdx.y;
    int t = 16 * y + x;                                     // this thread's number, 0 to 255
    int top = 32 * blockIdx.y, left = 32 * blockIdx.x;      // where the block's part of C begins
    float sum[2][2] = {};       // sum[i][j] is for row top + y + 16 * i and column left + x + 16 * j

    if (top + y >= M || left + x >= N)
        return;
    for (int start = 0; start < K; start += 16) {
        // Load two elements of each tile; what lies outside a matrix is 0.
        for (int e = t; e < 512; e += 256) {
            int ar = top + e / 16, ac = start + e % 16;
            a_tile[e / 16][e % 16] = ar < M && ac < K ? A[ar * K + ac] : 0.0f;
            int br = start + e / 32, bc = left + e % 32;
            b_tile[e / 32][e % 32] = br < K && bc < N ? B[br * N + bc] : 0.0f;
        }
        __syncthreads();    // both tiles must be full before anyone multiplies

        // For each of the 16 steps: four loads from the tiles, then four products.
        for (int k = 0; k < 16; ++k) {
            float upper = a_tile[y][k], lower = a_tile[y + 16][k];
            float near = b_tile[k][x], far = b_tile[k][x + 16];
            sum[0][0] += upper * near;
            sum[0][1] += upper * far;
            sum[1][0] += lower * near;
            sum[1][1] += lower * far;
        }
        __syncthreads();    // all must be done with the tiles before they are loaded over
    }

    // Store the four sums, where C has such elements.
    for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 2; ++j) {
            int r = top + y + 16 * i, c = left + x + 16 * j;
            if (r < M && c < N)
                C[r * N + c] = sum[i][j];
        }
}
