// finds: Race
// launch: grid=(2, 2), block=(16, 16), args=[numbers('float32', 20, 20), numbers('float32', 20, 20), empty(20, 20), 20]

#define TILE_WIDTH 16

// L1, as told: nothing is asked about the edge, so Width must be a multiple of TILE_WIDTH. With 20,
// blocks at the edge load from outside and store over each other.
__global__ void matrix_mul_tiled_as_told(float* M, float* N, float* P, int Width)
{
    __shared__ float subTileM[TILE_WIDTH][TILE_WIDTH];
    __shared__ float subTileN[TILE_WIDTH][TILE_WIDTH];
    int tx = threadIdx.x, Col = blockIdx.x * TILE_WIDTH + tx;
    int ty = threadIdx.y, Row = blockIdx.y * TILE_WIDTH + ty;
    float Pvalue = 0.0f;

    for (int m = 0; m < Width / TILE_WIDTH; ++m) {
        subTileM[ty][tx] = M[Row * Width + m * TILE_WIDTH + tx];
        subTileN[ty][tx] = N[(m * TILE_WIDTH + ty) * Width + Col];
        __syncthreads();
        for (int k = 0; k < TILE_WIDTH; ++k)
            Pvalue += subTileM[ty][k] * subTileN[k][tx];
        __syncthreads();
    }
    P[Row * Width + Col] = Pvalue;
}
