// kernel: pairs   grid: 1   block: 16
// args: in float32[32] random, out float32[16] poison
// expect: nothing
// check: out == in_.reshape(16, 2).sum(axis=1)
__global__ void pairs(const float* in, float* out)
{
    float2 pair = *(const float2*)(in + 2 * threadIdx.x);
    out[threadIdx.x] = pair.x + pair.y;
}
