// finds: nothing; without barrier 1: Race; without barrier 2: Race
// launch: grid=(2, 3), block=(16, 16), args=[numbers('float32', 35, 20), numbers('float32', 20, 30), empty(35, 30), 35, 20, 30]

#define BLOCK_SIZE 16

// L4: C = A B, where A is hA x wA and B is wA x wB, here for all sizes. (L4 does not pass hA.)
__global__ void muld(const float* A, const float* B, float* C, int hA, int wA, int wB)
{
    __shared__ float As[BLOCK_SIZE][BLOCK_SIZE];
    __shared__ float Bs[BLOCK_SIZE][BLOCK_SIZE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int column = BLOCK_SIZE * blockIdx.x + tx, line = BLOCK_SIZE * blockIdx.y + ty;
    float Csub = 0.0f;

    for (int step = 0; step < wA; step += BLOCK_SIZE) {
        As[ty][tx] = line < hA && step + tx < wA ? A[wA * line + step + tx] : 0.0f;
        Bs[ty][tx] = column < wB && step + ty < wA ? B[wB * (step + ty) + column] : 0.0f;
        __syncthreads();  // barrier 1: both tiles are whole
        for (int k = 0; k < BLOCK_SIZE; ++k)
            Csub += As[ty][k] * Bs[k][tx];
        __syncthreads();  // barrier 2: nobody needs these tiles any more
    }
    if (line < hA && column < wB) C[wB * line + column] = Csub;
}
