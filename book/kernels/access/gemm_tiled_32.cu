// finds: nothing
// launch: grid=(2, 2), block=(32, 32), args=[ramp(64, 64), ramp(64, 64), empty(64, 64), 64]

// Tiles of 32 x 32 in shared memory.
__global__ void gemm_tiled_32(const float* A, const float* B, float* C, int n)
{
    __shared__ float tile_A[32][32], tile_B[32][32];
    int x = threadIdx.x, col = 32 * blockIdx.x + x;
    int y = threadIdx.y, row = 32 * blockIdx.y + y;
    float sum = 0.0f;

    for (int first = 0; first < n; first += 32) {
        tile_A[y][x] = A[row * n + first + x];
        tile_B[y][x] = B[(first + y) * n + col];
        __syncthreads();
        for (int k = 0; k < 32; ++k)
            sum += tile_A[y][k] * tile_B[k][x];
        __syncthreads();
    }
    C[row * n + col] = sum;
}
