// rejected by: loads_at_most
// perhaps also: is_faster_than
// "Four numbers at a time from global memory are fast enough."
// C = A B: A is M x K, B is K x N and C is M x N, stored row by row; K and N are multiples of 4.
// A block of 128 threads computes 64 x 64 elements of C.

// Adds a times each of four neighbors.
__device__ void add_product(float4& sum, float a, float4 b)
{
    sum.x += a * b.x;
    sum.y += a * b.y;
    sum.z += a * b.z;
    sum.w += a * b.w;
}

__global__ void gemm_vectorized(const float* A, const float* B, float* C, int M, int N, int K)
{
    int t = threadIdx.x;
    int x = t % 16, y = t / 16;
    int top = 64 * blockIdx.y, left = 64 * blockIdx.x;
    float4 sum[8] = {};
    int c = left + 4 * x;
    for (int k = 0; k < K; ++k) {
        float4 b = {};
        if (c < N)
            b = *(const float4*)&B[k * N + c];
        for (int i = 0; i < 8; ++i)
            if (top + y + 8 * i < M)
                add_product(sum[i], A[(top + y + 8 * i) * K + k], b);
    }
    for (int i = 0; i < 8; ++i) {
        int r = top + y + 8 * i;
        if (r < M && c < N)
            *(float4*)&C[r * N + c] = sum[i];
    }
}
