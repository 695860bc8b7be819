// rejected by: shares_the_work
// "One thread of each block does it all: then nobody comes in its way."
// C = A B for n x n matrices, stored row by row; n is a multiple of 16. A block of 16 x 16 threads computes one tile of C.
__global__ void gemm_tiled(const float* A, const float* B, float* C, int n)
{
    __shared__ float a_tile[16][16];
    __shared__ float b_tile[16][16];
    int top = 16 * blockIdx.y, left = 16 * blockIdx.x;
    float sum[16][16] = {};

    if (threadIdx.x > 0 || threadIdx.y > 0)
        return;
    for (int phase = 0; phase < n / 16; ++phase) {
        for (int y = 0; y < 16; ++y)
            for (int x = 0; x < 16; ++x) {
                a_tile[y][x] = A[(top + y) * n + 16 * phase + x];
                b_tile[y][x] = B[(16 * phase + y) * n + left + x];
            }
        for (int y = 0; y < 16; ++y)
            for (int x = 0; x < 16; ++x)
                for (int k = 0; k < 16; ++k)
                    sum[y][x] += a_tile[y][k] * b_tile[k][x];
    }
    for (int y = 0; y < 16; ++y)
        for (int x = 0; x < 16; ++x)
            C[(top + y) * n + left + x] = sum[y][x];
}
