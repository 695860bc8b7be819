// finds: nothing; without barrier 1: Race; without barrier 2: Race
// launch: grid=(2, 2), block=(16, 16), args=[ramp(32, 32), ramp(32, 32), empty(32, 32), 32]

// C = A B in tiles of 16 x 16; n is a multiple of 16. __ldcg loads past the L1 cache, from L2.
__global__ void product_tiles_past_l1(const float* A, const float* B, float* C, int n)
{
    __shared__ float tile_A[16][16], tile_B[16][16];
    int x = threadIdx.x, col = 16 * blockIdx.x + x;
    int y = threadIdx.y, row = 16 * blockIdx.y + y;
    float sum = 0.0f;

    for (int first = 0; first < n; first += 16) {
        tile_A[y][x] = __ldcg(&A[row * n + first + x]);
        tile_B[y][x] = __ldcg(&B[(first + y) * n + col]);
        __syncthreads();  // barrier 1: both tiles are whole
        for (int k = 0; k < 16; ++k)
            sum += tile_A[y][k] * tile_B[k][x];
        __syncthreads();  // barrier 2: nobody needs these tiles any more
    }
    C[row * n + col] = sum;
}
