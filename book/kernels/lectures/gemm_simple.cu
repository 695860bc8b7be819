// finds: nothing
// launch: for M in (16, 8, 32): grid=(64 // M, 64 // M), block=(M, M), args=[numbers('float32', 64, 64), numbers('float32', 64, 64), empty(64, 64), 64]

// L0: C = A B for N x N matrices. One thread computes one element, and fetches all it needs itself.
__global__ void gemm_simple(const float* A, const float* B, float* C, int N)
{
    const int i = blockIdx.y * blockDim.y + threadIdx.y;
    const int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= N || j >= N) return;

    float dot = 0.0f;
    for (int k = 0; k < N; ++k) {
        float a = A[i * N + k];  // load A
        float b = B[k * N + j];  // load B
        dot += a * b;
    }
    C[i * N + j] = dot;  // store
}
