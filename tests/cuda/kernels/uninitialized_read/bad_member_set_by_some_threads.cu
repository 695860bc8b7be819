// kernel: clip   grid: 1   block: 32
// args: in float32[32] random, out float32[32] poison
// expect: UninitializedRead lines=1 array=range.z space=local
__global__ void clip(const float* in, float* out)
{
    float4 range;
    range.x = 0;
    if (threadIdx.x < 16)
        range.z = in[threadIdx.x];
    out[threadIdx.x] = range.x + range.z;  // (1)
}
