// finds: OutOfBounds
// launch: grid=(1, 2), block=(16, 16), args=[numbers('float32', 35, 20), numbers('float32', 20, 30), 20, 30, empty(35, 30)]

#define BLOCK_SIZE 16

// L4, as told: all sides must be multiples of BLOCK_SIZE. Here they are 35, 20 and 30, and the launch
// has wB / 16 x hA / 16 blocks, as L4 has it.
__global__ void muld_as_told(float* A, float* B, int wA, int wB, float* C)
{
    int bx = blockIdx.x, by = blockIdx.y, tx = threadIdx.x, ty = threadIdx.y;
    int aBegin = wA * BLOCK_SIZE * by;  // the first tile of A
    int aEnd = aBegin + wA - 1;         // the last one
    int bBegin = BLOCK_SIZE * bx;
    float Csub = 0.0f;
    __shared__ float As[BLOCK_SIZE][BLOCK_SIZE];
    __shared__ float Bs[BLOCK_SIZE][BLOCK_SIZE];

    for (int a = aBegin, b = bBegin; a <= aEnd; a += BLOCK_SIZE, b += BLOCK_SIZE * wB) {
        As[ty][tx] = A[a + wA * ty + tx];
        Bs[ty][tx] = B[b + wB * ty + tx];
        __syncthreads();
        for (int k = 0; k < BLOCK_SIZE; ++k)
            Csub += As[ty][k] * Bs[k][tx];
        __syncthreads();
    }
    C[wB * BLOCK_SIZE * by + BLOCK_SIZE * bx + wB * ty + tx] = Csub;
}
