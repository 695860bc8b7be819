// kernel: accumulate   grid: 1   block: 32
// args: in float32[32] random, out float32[32] empty
// expect: UninitializedRead lines=1 array=out space=global
__global__ void accumulate(const float* in, float* out)
{
    out[threadIdx.x] += in[threadIdx.x];          // (1)
}
