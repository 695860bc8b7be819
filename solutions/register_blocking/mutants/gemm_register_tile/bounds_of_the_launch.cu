// rejected by: does_without_local_arrays
// Loops whose bounds the launch gives: the compiler cannot write them out, and registers have no addresses.
// C = A B: A is M x K, B is K x N and C is M x N, stored row by row. A block of 16 x 16 threads computes 128 x 64 elements of C.
#define HEIGHT 8        // rows of C for each thread
#define WIDTH 4         // columns of C for each thread
#define DEPTH 16        // columns of A, and rows of B, in one phase
__global__ void gemm_register_tile(const float* A, const float* B, float* C, int M, int N, int K)
{
    __shared__ float a_tile[16 * HEIGHT][DEPTH];
    __shared__ float b_tile[DEPTH][16 * WIDTH];
    int x = threadIdx.x, y = threadIdx.y;
    int t = 16 * y + x;                                                     // this thread's number, 0 to 255
    int top = 16 * HEIGHT * blockIdx.y, left = 16 * WIDTH * blockIdx.x;     // where the block's part of C begins
    int rows = blockDim.x / 2, cols = blockDim.x / 4;
    float sum[HEIGHT][WIDTH] = {};      // sum[i][j] is for row top + y + 16 * i and column left + x + 16 * j
    for (int start = 0; start < K; start += DEPTH) {
        // Fill both tiles; what lies outside a matrix is 0.
        for (int e = t; e < 16 * HEIGHT * DEPTH; e += 256) {
            int ar = top + e / DEPTH, ac = start + e % DEPTH;
            a_tile[e / DEPTH][e % DEPTH] = ar < M && ac < K ? A[ar * K + ac] : 0.0f;
        }
        for (int e = t; e < DEPTH * 16 * WIDTH; e += 256) {
            int br = start + e / (16 * WIDTH), bc = left + e % (16 * WIDTH);
            b_tile[e / (16 * WIDTH)][e % (16 * WIDTH)] = br < K && bc < N ? B[br * N + bc] : 0.0f;
        }
        __syncthreads();    // now everyone may read what others have loaded
        // For each of the DEPTH steps: first fetch HEIGHT + WIDTH numbers, then use each of them many times.
        for (int k = 0; k < DEPTH; ++k) {
            float column[HEIGHT], row[WIDTH];
            for (int i = 0; i < rows; ++i)
                column[i] = a_tile[y + 16 * i][k];
            for (int j = 0; j < cols; ++j)
                row[j] = b_tile[k][x + 16 * j];
            for (int i = 0; i < rows; ++i)
                for (int j = 0; j < cols; ++j)
                    sum[i][j] += column[i] * row[j];
        }
        __syncthreads();    // all must be done with the tiles before they are loaded over
    }
    // Store the sums, where C has these elements.
    for (int i = 0; i < rows; ++i)
        for (int j = 0; j < cols; ++j) {
            int r = top + y + 16 * i, c = left + x + 16 * j;
            if (r < M && c < N)
                C[r * N + c] = sum[i][j];
        }
}
