// finds: nothing; without barrier 1: Race; without barrier 2: Race
// launch: grid=(2, 2), block=(16, 16), args=[numbers('float32', 20, 20), numbers('float32', 20, 20), empty(20, 20), 20]

#define TILE_WIDTH 16

// L1: P = M N in tiles, here for every Width.
__global__ void matrix_mul_tiled(const float* M, const float* N, float* P, int Width)
{
    __shared__ float subTileM[TILE_WIDTH][TILE_WIDTH];
    __shared__ float subTileN[TILE_WIDTH][TILE_WIDTH];
    int tx = threadIdx.x, Col = blockIdx.x * TILE_WIDTH + tx;
    int ty = threadIdx.y, Row = blockIdx.y * TILE_WIDTH + ty;
    float Pvalue = 0.0f;

    for (int m = 0; m * TILE_WIDTH < Width; ++m) {
        int from_M = m * TILE_WIDTH + tx, from_N = m * TILE_WIDTH + ty;
        subTileM[ty][tx] = Row < Width && from_M < Width ? M[Row * Width + from_M] : 0.0f;
        subTileN[ty][tx] = Col < Width && from_N < Width ? N[from_N * Width + Col] : 0.0f;
        __syncthreads();  // barrier 1: both tiles are whole
        for (int k = 0; k < TILE_WIDTH; ++k)
            Pvalue += subTileM[ty][k] * subTileN[k][tx];
        __syncthreads();  // barrier 2: nobody needs these tiles any more
    }
    if (Row < Width && Col < Width) P[Row * Width + Col] = Pvalue;
}
