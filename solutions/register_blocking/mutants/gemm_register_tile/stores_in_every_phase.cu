// rejected by: stores_at_most
// perhaps also: is_faster_than
// "The sums are up to date after each phase, so I store them." Right numbers; each element of C is stored in every phase.
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
        #pragma unroll
        for (int e = t; e < 16 * HEIGHT * DEPTH; e += 256) {
            int ar = top + e / DEPTH, ac = start + e % DEPTH;
            a_tile[e / DEPTH][e % DEPTH] = ar < M && ac < K ? A[ar * K + ac] : 0.0f;
        }
        #pragma unroll
        for (int e = t; e < DEPTH * 16 * WIDTH; e += 256) {
            int br = start + e / (16 * WIDTH), bc = left + e % (16 * WIDTH);
            b_tile[e / (16 * WIDTH)][e % (16 * WIDTH)] = br < K && bc < N ? B[br * N + bc] : 0.0f;
        }
        __syncthreads();    // now everyone may read what others have loaded

        // For each of the DEPTH steps: first fetch HEIGHT + WIDTH numbers, then use each of them many times.
        #pragma unroll
        for (int k = 0; k < DEPTH; ++k) {
            float column[HEIGHT], row[WIDTH];
            #pragma unroll
            for (int i = 0; i < HEIGHT; ++i)
                column[i] = a_tile[y + 16 * i][k];
            #pragma unroll
            for (int j = 0; j < WIDTH; ++j)
                row[j] = b_tile[k][x + 16 * j];
            #pragma unroll
            for (int i = 0; i < HEIGHT; ++i)
                #pragma unroll
                for (int j = 0; j < WIDTH; ++j)
                    sum[i][j] += column[i] * row[j];
        }
        __syncthreads();

        // Store the sums, where C has these elements.
        #pragma unroll
        for (int i = 0; i < HEIGHT; ++i)
            #pragma unroll
            for (int j = 0; j < WIDTH; ++j)
                if (top + y + 16 * i < M && left + x + 16 * j < N)
                    C[(top + y + 16 * i) * N + left + x + 16 * j] = sum[i][j];
    }
}
