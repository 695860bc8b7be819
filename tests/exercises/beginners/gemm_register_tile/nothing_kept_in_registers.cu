%%cuda gemm_register_tile
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
    float sum[HEIGHT][WIDTH] = {};      // sum[i][j] is for row top + y + 16 * i and column left + x + 16 * j

    for (int start = 0; start < K; start += DEPTH) {
        // Fill both tiles; what lies outside a matrix is 0.
        for (int j = t; j < 16 * HEIGHT * DEPTH; j += 256) {
            int r = j / DEPTH, k = j % DEPTH;
            a_tile[r][k] = top + r < M && start + k < K ? A[(top + r) * K + start + k] : 0;
        }
        for (int j = t; j < DEPTH * 16 * WIDTH; j += 256) {
            int k = j / (16 * WIDTH), c = j % (16 * WIDTH);
            b_tile[k][c] = start + k < K && left + c < N ? B[(start + k) * N + left + c] : 0;
        }
        __syncthreads();

        // For each of the DEPTH steps: first fetch HEIGHT + WIDTH numbers, then use each of them many times.
        for (int k = 0; k < DEPTH; k++)
            for (int i = 0; i < HEIGHT; i++)
                for (int j = 0; j < WIDTH; j++)
                    sum[i][j] += a_tile[y + 16 * i][k] * b_tile[k][x + 16 * j];
        __syncthreads();
    }

    // Store the sums, where C has such elements.
    for (int i = 0; i < HEIGHT; i++)
        for (int j = 0; j < WIDTH; j++)
            if (top + y + 16 * i < M && left + x + 16 * j < N)
                C[(top + y + 16 * i) * N + left + x + 16 * j] = sum[i][j];
}
