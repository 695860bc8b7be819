// finds: nothing; without barrier 1: Race; without barrier 2: Race
// launch: grid=(3, 3), block=(4, 4), args=[ramp(12, 12), ramp(12, 12), empty(12, 12)]

// C = A * B for matrices of 12 x 12, in three phases with tiles of 4 x 4.
__global__ void gemm_phases(const float* A, const float* B, float* C)
{
    __shared__ float tile_A[4][4], tile_B[4][4];
    int x = threadIdx.x;
    int y = threadIdx.y;
    int row = 4 * blockIdx.y + y, col = 4 * blockIdx.x + x;
    float sum = 0.0f;

    for (int phase = 0; phase < 3; ++phase) {
        tile_A[y][x] = A[12 * row + 4 * phase + x];    // load A
        tile_B[y][x] = B[12 * (4 * phase + y) + col];  // load B
        __syncthreads();  // barrier 1: both tiles are whole
        for (int k = 0; k < 4; ++k)
            sum += tile_A[y][k] * tile_B[k][x];  // multiply
        __syncthreads();  // barrier 2: nobody needs these tiles any more
    }
    C[12 * row + col] = sum;  // store
}
