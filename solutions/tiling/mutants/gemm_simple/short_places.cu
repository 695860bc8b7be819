// rejected by: stays_in_bounds
// "No side of a matrix is longer than a short can say." But the places are.
// C = A B for n x n matrices, stored row by row. Each thread computes one element of C.
__global__ void gemm_simple(const float* A, const float* B, float* C, int n)
{
    // Which row and which column of C are this thread's?
    int c = threadIdx.x + blockDim.x * blockIdx.x;
    int r = threadIdx.y + blockDim.y * blockIdx.y;

    // If C has such an element: add up its n products, and store the sum.
    if (r < n && c < n) {
        float sum = 0.0f;
        for (int k = 0; k < n; ++k)
            sum += A[r * n + k] * B[k * n + c];
        short place = r * n + c;
        C[place] = sum;
    }
}
