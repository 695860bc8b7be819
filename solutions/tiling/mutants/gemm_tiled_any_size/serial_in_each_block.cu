// rejected by: shares_the_work
// perhaps also: loads_at_most
// "One thread of each block does it all: then nobody comes in its way."
// C = A B for n x n matrices, stored row by row. A block of m x m threads computes one tile of C.
__global__ void gemm_tiled_any_size(const float* A, const float* B, float* C, int n)
{
    if (threadIdx.x > 0 || threadIdx.y > 0)
        return;
    for (int r = (int)(blockDim.y * blockIdx.y); r < (int)(blockDim.y * blockIdx.y) + (int)blockDim.y && r < n; ++r)
        for (int c = (int)(blockDim.x * blockIdx.x); c < (int)(blockDim.x * blockIdx.x) + (int)blockDim.x && c < n; ++c) {
            float sum = 0.0f;
            for (int k = 0; k < n; ++k)
                sum += A[r * n + k] * B[k * n + c];
            C[r * n + c] = sum;
        }
}
