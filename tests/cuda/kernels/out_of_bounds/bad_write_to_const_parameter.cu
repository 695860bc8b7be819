// kernel: clear   grid: 1   block: 32
// args: in float32[32] random, out float32[32] poison
// expect: OutOfBounds lines=1 array=in action=write
__global__ void clear(const float* in, float* out)
{
    out[threadIdx.x] = in[threadIdx.x];
    ((float*)in)[threadIdx.x] = 0.0f;             // (1)
}
