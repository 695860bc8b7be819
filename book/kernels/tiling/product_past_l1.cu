// finds: nothing
// launch: grid=(2, 2), block=(16, 16), args=[ramp(32, 32), ramp(32, 32), empty(32, 32), 32]

// C = A B for square matrices, one thread for each element. __ldcg loads past the L1 cache, from L2.
__global__ void product_past_l1(const float* A, const float* B, float* C, int n)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    float sum = 0.0f;

    for (int k = 0; k < n; ++k)
        sum += __ldcg(&A[row * n + k]) * __ldcg(&B[k * n + col]);
    C[row * n + col] = sum;
}
