// kernel: sums   grid: 1   block: 32
// args: in float32[128] random, out float32[32] poison
// expect: UninitializedRead lines=1 array=sum space=local
__device__ void add(float& sum, float value)
{
    sum += value;  // (1)
}

__global__ void sums(const float* in, float* out)
{
    float sum;
    for (int i = 0; i < 4; ++i)
        add(sum, in[4 * threadIdx.x + i]);
    out[threadIdx.x] = sum;
}
