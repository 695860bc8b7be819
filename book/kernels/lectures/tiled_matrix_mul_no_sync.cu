// finds: Race
// launch: grid=(3, 3), block=(16, 16), args=[numbers('float32', 40, 40), numbers('float32', 40, 40), empty(40, 40), 40]

#define TILE_WIDTH 16

// L3: C = A B for any width, in tiles, with neither barrier: the kernel that L3 announces to compare with.
__global__ void tiled_matrix_mul_no_sync(const float* A, const float* B, float* C, int width)
{
    __shared__ float tileA[TILE_WIDTH][TILE_WIDTH];
    __shared__ float tileB[TILE_WIDTH][TILE_WIDTH];
    int tx = threadIdx.x, col = blockIdx.x * TILE_WIDTH + tx;
    int ty = threadIdx.y, row = blockIdx.y * TILE_WIDTH + ty;
    float value = 0.0f;

    for (int m = 0; m < (width + TILE_WIDTH - 1) / TILE_WIDTH; ++m) {
        tileA[ty][tx] = row < width && m * TILE_WIDTH + tx < width
            ? A[row * width + m * TILE_WIDTH + tx] : 0.0f;
        tileB[ty][tx] = col < width && m * TILE_WIDTH + ty < width
            ? B[(m * TILE_WIDTH + ty) * width + col] : 0.0f;
        for (int k = 0; k < TILE_WIDTH; ++k)
            value += tileA[ty][k] * tileB[k][tx];
    }
    if (row < width && col < width) C[row * width + col] = value;
}
