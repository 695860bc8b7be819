// kernel: gather   grid: 1   block: 32
// args: in float32[32] random, index int32[32] poison, out float32[32] poison
// expect: OutOfBounds lines=1 action=read null=False
__global__ void gather(const float* in, const int* index, float* out)
{
    out[threadIdx.x] = in[index[threadIdx.x]];    // (1)
}
