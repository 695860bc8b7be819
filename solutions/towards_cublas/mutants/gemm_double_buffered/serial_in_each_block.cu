// rejected by: shares_the_work
// perhaps also: loads_at_most, is_faster_than
// "One thread of each block does it all: then nobody comes in its way."
// C = A B: A is M x K, B is K x N and C is M x N, stored row by row; K and N are multiples of 4.
// A block of 128 threads computes 64 x 64 elements of C.
__global__ void gemm_double_buffered(const float* A, const float* B, float* C, int M, int N, int K)
{
    if (threadIdx.x > 0)
        return;
    for (int r = 64 * (int)blockIdx.y; r < 64 * (int)blockIdx.y + 64 && r < M; ++r)
        for (int c = 64 * (int)blockIdx.x; c < 64 * (int)blockIdx.x + 64 && c < N; ++c) {
            float sum = 0.0f;
            for (int k = 0; k < K; ++k)
                sum += A[r * K + k] * B[k * N + c];
            C[r * N + c] = sum;
        }
}
