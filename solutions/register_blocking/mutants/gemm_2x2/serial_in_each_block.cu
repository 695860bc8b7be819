// rejected by: shares_the_work
// perhaps also: loads_at_most, is_faster_than
// "One thread of each block does it all: then nobody comes in its way."
// C = A B: A is M x K, B is K x N and C is M x N, stored row by row. A block of 16 x 16 threads computes 32 x 32 elements of C.
__global__ void gemm_2x2(const float* A, const float* B, float* C, int M, int N, int K)
{
    if (threadIdx.x > 0 || threadIdx.y > 0)
        return;
    for (int r = 32 * (int)blockIdx.y; r < 32 * (int)blockIdx.y + 32 && r < M; ++r)
        for (int c = 32 * (int)blockIdx.x; c < 32 * (int)blockIdx.x + 32 && c < N; ++c) {
            float sum = 0.0f;
            for (int k = 0; k < K; ++k)
                sum += A[r * K + k] * B[k * N + c];
            C[r * N + c] = sum;
        }
}
