%%values gemm_1x2
# C is M x N, K is what A and B have in common, a block has m x m threads
grid = ceil_div(N, 2 * m), ceil_div(M, m)
block = m, m
shared_mem = 2 * m * m * 4

%%cuda gemm_1x2
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
    int row = m * blockIdx.y + y;
    int col = 2 * m * blockIdx.x + x;

    for (int start = 0; start < K; start += m) {
        // Load one element of each of the three tiles; what lies outside a matrix is 0.
        a_tile[place] = row < M && start + x < K ? A[row * K + start + x] : 0;
        b_left[place] = start + y < K && col < N ? B[(start + y) * N + col] : 0;
        b_right[place] = start + y < K && col + m < N ? B[(start + y) * N + col + m] : 0;
        __syncthreads();

        // Add m products to each of the two sums.
        for (int k = 0; k < m; k++) {
            float a = a_tile[y * m + k];
            left += a * b_left[k * m + x];
            right += a * b_right[k * m + x];
        }
        __syncthreads();
    }

    // Store both sums, where C has such elements.
    if (row < M && col < N) C[row * N + col] = left;
    if (row < M && col + m < N) C[row * N + col + m] = right;
}
