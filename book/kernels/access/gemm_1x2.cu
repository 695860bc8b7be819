// finds: nothing
// launch: grid=(1, 2), block=(16, 16), args=[ramp(32, 32), ramp(32, 32), empty(32, 32), 32]

// Two elements of C for each thread, 16 columns apart.
__global__ void gemm_1x2(const float* A, const float* B, float* C, int n)
{
    __shared__ float tile_A[16][16], tile_B[16][32];
    int x = threadIdx.x, col = 32 * blockIdx.x + x;
    int y = threadIdx.y, row = 16 * blockIdx.y + y;
    float left = 0.0f, right = 0.0f;

    for (int first = 0; first < n; first += 16) {
        tile_A[y][x] = A[row * n + first + x];
        tile_B[y][x] = B[(first + y) * n + col];
        tile_B[y][x + 16] = B[(first + y) * n + col + 16];
        __syncthreads();
        for (int k = 0; k < 16; ++k) {
            float a = tile_A[y][k];
            left += a * tile_B[k][x];
            right += a * tile_B[k][x + 16];
        }
        __syncthreads();
    }
    C[row * n + col] = left;
    C[row * n + col + 16] = right;
}
