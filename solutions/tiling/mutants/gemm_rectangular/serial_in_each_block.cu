// rejected by: shares_the_work
// "One thread of each block does it all: then nobody comes in its way."
// C = A B, where A is hA x wA, B is wA x wB and C is hA x wB, stored row by row. A block of 16 x 16 threads computes one tile of C.
__global__ void gemm_rectangular(const float* A, const float* B, float* C, int hA, int wA, int wB)
{
    __shared__ float a_tile[16][16];
    __shared__ float b_tile[16][16];
    int top = 16 * blockIdx.y, left = 16 * blockIdx.x;
    float sum[16][16] = {};

    if (threadIdx.x > 0 || threadIdx.y > 0)
        return;
    for (int from = 0; from < wA; from += 16) {
        for (int y = 0; y < 16; ++y)
            for (int x = 0; x < 16; ++x) {
                a_tile[y][x] = top + y < hA && from + x < wA ? A[(top + y) * wA + from + x] : 0.0f;
                b_tile[y][x] = from + y < wA && left + x < wB ? B[(from + y) * wB + left + x] : 0.0f;
            }
        for (int y = 0; y < 16; ++y)
            for (int x = 0; x < 16; ++x)
                for (int k = 0; k < 16; ++k)
                    sum[y][x] += a_tile[y][k] * b_tile[k][x];
    }
    for (int y = 0; y < 16 && top + y < hA; ++y)
        for (int x = 0; x < 16 && left + x < wB; ++x)
            C[(top + y) * wB + left + x] = sum[y][x];
}
