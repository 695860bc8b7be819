// kernel: gemm   grid: 1,1   block: 16,16
// args: a float32[16x32] random, b float32[32x16] random, c float32[16x16] poison
// expect: Race between=1,2 array=as
// expect: Race between=2,3 array=bs
__global__ void gemm(const float* a, const float* b, float* c)
{
    __shared__ float as[16][16], bs[16][16];
    int tx = threadIdx.x, ty = threadIdx.y;
    as[ty][tx] = a[ty * 32 + tx];
    bs[ty][tx] = b[ty * 16 + tx];
    __syncthreads();
    float sum = 0.0f;
    for (int t = 16; t <= 32; t += 16) {
        for (int k = 0; k < 16; k++) sum += as[ty][k] * bs[k][tx]; // (2)
        if (t < 32) {
            as[ty][tx] = a[ty * 32 + t + tx];     // (1)
            bs[ty][tx] = b[(t + ty) * 16 + tx];   // (3)
        }
        __syncthreads();
    }
    c[ty * 16 + tx] = sum;
}
