// rejected by: shares_the_work
// perhaps also: loads_at_most, is_faster_than
// "One thread of each block does it all: then nobody comes in its way."
// C = A B: A is M x K, B is K x N and C is M x N, stored row by row. A block of m x m threads computes m rows and 2m columns of C.
__global__ void gemm_1x2(const float* A, const float* B, float* C, int M, int N, int K)
{
    if (threadIdx.x > 0 || threadIdx.y > 0)
        return;
    for (int r = (int)(blockDim.x * blockIdx.y); r < (int)(blockDim.x * blockIdx.y) + (int)blockDim.x && r < M; ++r)
        for (int c = (int)(2 * blockDim.x * blockIdx.x); c < (int)(2 * blockDim.x * blockIdx.x) + (int)(2 * blockDim.x) && c < N; ++c) {
            float sum = 0.0f;
            for (int k = 0; k < K; ++k)
                sum += A[r * K + k] * B[k * N + c];
            C[r * N + c] = sum;
        }
}
