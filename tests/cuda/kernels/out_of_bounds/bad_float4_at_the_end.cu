// kernel: copy   grid: 1   block: 16
// args: in float32[62] random, out float32[64] poison
// expect: OutOfBounds lines=1 array=in space=global action=read bytes_outside=8
__global__ void copy(const float* in, float4* out)
{
    out[threadIdx.x] = ((const float4*)in)[threadIdx.x]; // (1)
}
