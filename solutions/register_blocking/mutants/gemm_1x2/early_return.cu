// rejected by: reaches_every_barrier
// perhaps also: matches_numpy, is_faster_than, reads_only_what_was_written
// "Threads below the last row of C leave first."
// C = A B: A is M x K, B is K x N and C is M x N, stored row by row. A block of m x m threads computes m rows and 2m columns of C.
__global__ void gemm_1x2(const float* A, const float* B, float* C, int M, int N, int K)
{
    extern __shared__ float shared[];
    int m = blockDim.x;
    float* a_tile = shared;                 // m x m
    float* b_left = shared + m * m;         // m x m
    float* b_right = shared + 2 * m * m;    // m x m, the columns of B to the right of it
    int x = threadIdx.x, y = threadIdx.y;
    int place = y * m + x;                  // this thread's element of each tile
    float left = 0.0f, right = 0.0f;        // this thread's two elements of C

    // Which row of C is this thread's, and which two columns?
    int r = m * blockIdx.y + y;
    int c_left = 2 * m * blockIdx.x + x;
    int c_right = c_left + m;

    if (r >= M)
        return;
    for (int start = 0; start < K; start += m) {
        // Load one element of each of the three tiles; what lies outside a matrix is 0.
        int ac = start + x, br = start + y;
        a_tile[place] = r < M && ac < K ? A[r * K + ac] : 0.0f;
        b_left[place] = br < K && c_left < N ? B[br * N + c_left] : 0.0f;
        b_right[place] = br < K && c_right < N ? B[br * N + c_right] : 0.0f;
        __syncthreads();    // all three tiles must be full before anyone multiplies

        // Add m products to each of the two sums.
        for (int k = 0; k < m; ++k) {
            float a = a_tile[y * m + k];    // loaded once, used twice
            left += a * b_left[k * m + x];
            right += a * b_right[k * m + x];
        }
        __syncthreads();    // all must be done with the tiles before they are loaded over
    }

    // Store both sums, where C has such elements.
    if (r < M && c_left < N)
        C[r * N + c_left] = left;
    if (r < M && c_right < N)
        C[r * N + c_right] = right;
}
