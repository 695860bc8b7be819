// finds: nothing
// launch: grid=(2, 2), block=(16, 16), args=[ramp(20, 9), ramp(9, 18), empty(20, 18), 20, 18, 9]

// C = A B, each matrix stored row by row: A is M x K, B is K x N, C is M x N.
// One thread computes one element of C, and fetches all it needs from global memory.
__global__ void gemm_simple(const float* A, const float* B, float* C, int M, int N, int K)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= M || col >= N) return;

    float sum = 0.0f;
    for (int k = 0; k < K; ++k)
        sum += A[row * K + k] * B[k * N + col];
    C[row * N + col] = sum;
}
