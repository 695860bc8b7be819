// rejected by: loads_at_most
// perhaps also: is_faster_than
// "With so many registers, shared memory is not needed any more."
// C = A B: A is M x K, B is K x N and C is M x N, stored row by row. A block of 16 x 16 threads computes 128 x 64 elements of C.
#define HEIGHT 8        // rows of C for each thread
#define WIDTH 4         // columns of C for each thread
#define DEPTH 16        // columns of A, and rows of B, in one phase

__global__ void gemm_register_tile(const float* A, const float* B, float* C, int M, int N, int K)
{
    int x = threadIdx.x, y = threadIdx.y;
    int top = 16 * HEIGHT * blockIdx.y, left = 16 * WIDTH * blockIdx.x;
    float sum[HEIGHT][WIDTH] = {};
    for (int k = 0; k < K; ++k) {
        float column[HEIGHT], row[WIDTH];
        for (int i = 0; i < HEIGHT; ++i)
            column[i] = top + y + 16 * i < M ? A[(top + y + 16 * i) * K + k] : 0.0f;
        for (int j = 0; j < WIDTH; ++j)
            row[j] = left + x + 16 * j < N ? B[k * N + left + x + 16 * j] : 0.0f;
        for (int i = 0; i < HEIGHT; ++i)
            for (int j = 0; j < WIDTH; ++j)
                sum[i][j] += column[i] * row[j];
    }
    #pragma unroll
    for (int i = 0; i < HEIGHT; ++i)
        #pragma unroll
        for (int j = 0; j < WIDTH; ++j) {
            int r = top + y + 16 * i, c = left + x + 16 * j;
            if (r < M && c < N)
                C[r * N + c] = sum[i][j];
        }
}
