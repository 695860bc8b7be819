// finds: nothing
// launch: grid=(2, 2), block=(16, 16), args=[ramp(32, 32), ramp(32, 32), empty(32, 32), 32]

// The tile of B is stored transposed, and both its columns meet in few banks.
__global__ void gemm_tile_transposed(const float* A, const float* B, float* C, int n)
{
    __shared__ float tile_A[16][16], tile_B[16][16];
    int x = threadIdx.x, col = 16 * blockIdx.x + x;
    int y = threadIdx.y, row = 16 * blockIdx.y + y;
    float sum = 0.0f;

    for (int first = 0; first < n; first += 16) {
        tile_A[y][x] = A[row * n + first + x];
        tile_B[x][y] = B[(first + y) * n + col];
        __syncthreads();
        for (int k = 0; k < 16; ++k)
            sum += tile_A[y][k] * tile_B[x][k];
        __syncthreads();
    }
    C[row * n + col] = sum;
}
