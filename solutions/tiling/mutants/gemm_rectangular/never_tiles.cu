// rejected by: loads_at_most
// "The plain kernel takes any shape, with no edges to think of."
// C = A B, where A is hA x wA, B is wA x wB and C is hA x wB, stored row by row. A block of 16 x 16 threads computes one tile of C.
__global__ void gemm_rectangular(const float* A, const float* B, float* C, int hA, int wA, int wB)
{
    int row = 16 * blockIdx.y + threadIdx.y;
    int col = 16 * blockIdx.x + threadIdx.x;

    if (row < hA && col < wB) {
        float sum = 0.0f;
        for (int k = 0; k < wA; ++k)
            sum += A[row * wA + k] * B[k * wB + col];
        C[row * wB + col] = sum;
    }
}
