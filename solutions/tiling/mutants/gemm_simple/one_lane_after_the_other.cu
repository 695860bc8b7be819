// rejected by: is_coalesced
// C = A B for n x n matrices, stored row by row. Each thread computes one element of C.
__global__ void gemm_simple(const float* A, const float* B, float* C, int n)
{
    int r = threadIdx.x + blockDim.x * blockIdx.x;      // x and y changed places,
    int c = threadIdx.y + blockDim.y * blockIdx.y;
    int lane = (threadIdx.y * blockDim.x + threadIdx.x) % 32;

    for (int turn = 0; turn < 32; ++turn)               // but one lane after the other
        if (lane == turn && r < n && c < n) {
            float sum = 0.0f;
            for (int k = 0; k < n; ++k)
                sum += A[r * n + k] * B[k * n + c];
            C[r * n + c] = sum;
        }
}
