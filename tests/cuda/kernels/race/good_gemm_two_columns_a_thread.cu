// kernel: gemm   grid: 1,2   block: 16,16
// args: a float32[32x32] random, b float32[32x32] random, c float32[32x32] poison
// expect: nothing
// check: c == a @ b
__global__ void gemm(const float* a, const float* b, float* c)
{
    __shared__ float as[16][16], bs[16][32];
    int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * 16 + ty;
    float left = 0.0f, right = 0.0f;
    for (int t = 0; t < 32; t += 16) {
        as[ty][tx] = a[row * 32 + t + tx];
        *(float2*)&bs[ty][2 * tx] = *(const float2*)&b[(t + ty) * 32 + 2 * tx];
        __syncthreads();
        for (int k = 0; k < 16; k++) {
            float2 pair = *(const float2*)&bs[k][2 * tx];
            left += as[ty][k] * pair.x;
            right += as[ty][k] * pair.y;
        }
        __syncthreads();
    }
    *(float2*)&c[row * 32 + 2 * tx] = make_float2(left, right);
}
