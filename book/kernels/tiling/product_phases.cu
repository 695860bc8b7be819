// finds: nothing; without barrier 1: Race; without barrier 2: Race
// launch: grid=(2, 2), block=(4, 4), args=[ramp(8, 8), ramp(8, 8), empty(8, 8)]

// C = A B for matrices of 8 x 8, in two phases with tiles of 4 x 4.
__global__ void product_phases(const float* A, const float* B, float* C)
{
    __shared__ float tile_A[4][4], tile_B[4][4];
    int x = threadIdx.x, col = 4 * blockIdx.x + x;
    int y = threadIdx.y, row = 4 * blockIdx.y + y;
    float sum = 0.0f;

    for (int phase = 0; phase < 2; ++phase) {
        tile_A[y][x] = A[8 * row + 4 * phase + x];    // load A
        tile_B[y][x] = B[8 * (4 * phase + y) + col];  // load B
        __syncthreads();  // barrier 1: both tiles are whole
        for (int k = 0; k < 4; ++k)
            sum += tile_A[y][k] * tile_B[k][x];  // multiply
        __syncthreads();  // barrier 2: nobody needs these tiles any more
    }
    C[8 * row + col] = sum;  // store
}
