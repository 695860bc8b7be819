// kernel: gemm_tiled   grid: 2,2   block: 16,16
// args: a float32[32x32] random, b float32[32x32] random, c float32[32x32] poison
// expect: Race lines=1,3 array=as hazard=read-after-write
// expect: Race lines=2,3 array=bs hazard=read-after-write
__global__ void gemm_tiled(const float* a, const float* b, float* c)
{
    __shared__ float as[16][16];
    __shared__ float bs[16][16];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * 16 + ty, col = blockIdx.x * 16 + tx;
    float sum = 0.0f;
    for (int m = 0; m < 2; m++) {
        as[ty][tx] = a[row * 32 + m * 16 + tx];   // (1)
        bs[ty][tx] = b[(m * 16 + ty) * 32 + col]; // (2)
        // Missing: the tiles are read before every thread has loaded its element.
        for (int k = 0; k < 16; k++)
            sum += as[ty][k] * bs[k][tx];         // (3)
        __syncthreads();
    }
    c[row * 32 + col] = sum;
}
