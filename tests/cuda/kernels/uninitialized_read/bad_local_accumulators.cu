// kernel: row_sums   grid: 1   block: 8
// args: in float32[8x4] random, out float32[8] poison
// expect: UninitializedRead lines=1 space=local
__global__ void row_sums(const float* in, float* out)
{
    float sum[2];  // never set to zero
    for (int k = 0; k < 4; k++) sum[k % 2] += in[4 * threadIdx.x + k]; // (1)
    out[threadIdx.x] = sum[0] + sum[1];
}
