// rejected by: loads_at_most
// perhaps also: is_faster_than
// "Registers are the fastest memory there is, so I go there at once."
// C = A B: A is M x K, B is K x N and C is M x N, stored row by row. A block of 16 x 16 threads computes 32 x 32 elements of C.
__global__ void gemm_2x2(const float* A, const float* B, float* C, int M, int N, int K)
{
    int x = threadIdx.x, y = threadIdx.y;
    int top = 32 * blockIdx.y, left = 32 * blockIdx.x;
    float sum[2][2] = {};
    for (int k = 0; k < K; ++k) {
        float a[2], b[2];
        for (int i = 0; i < 2; ++i) {
            int r = top + y + 16 * i, c = left + x + 16 * i;
            a[i] = r < M ? A[r * K + k] : 0.0f;
            b[i] = c < N ? B[k * N + c] : 0.0f;
        }
        for (int i = 0; i < 2; ++i)
            for (int j = 0; j < 2; ++j)
                sum[i][j] += a[i] * b[j];
    }
    for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 2; ++j) {
            int r = top + y + 16 * i, c = left + x + 16 * j;
            if (r < M && c < N)
                C[r * N + c] = sum[i][j];
        }
}
