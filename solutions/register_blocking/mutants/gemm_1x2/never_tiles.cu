// rejected by: loads_at_most
// perhaps also: is_faster_than, shares_the_work
// "Two sums are what blocking is about; the caches do the rest."
// C = A B: A is M x K, B is K x N and C is M x N, stored row by row. A block of m x m threads computes m rows and 2m columns of C.
__global__ void gemm_1x2(const float* A, const float* B, float* C, int M, int N, int K)
{
    int m = blockDim.x;
    int r = m * blockIdx.y + threadIdx.y;
    int c_left = 2 * m * blockIdx.x + threadIdx.x;
    int c_right = c_left + m;
    float left = 0.0f, right = 0.0f;
    for (int k = 0; k < K; ++k) {
        float a = r < M ? A[r * K + k] : 0.0f;
        left += c_left < N ? a * B[k * N + c_left] : 0.0f;
        right += c_right < N ? a * B[k * N + c_right] : 0.0f;
    }
    if (r < M && c_left < N)
        C[r * N + c_left] = left;
    if (r < M && c_right < N)
        C[r * N + c_right] = right;
}
