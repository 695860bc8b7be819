// kernel: scale   grid: 4   block: 34
// args: in float32[130] random, out float32[130] poison
// expect: Race lines=1,1 array=out hazard=write-after-write scope=grid same_value=True
__global__ void scale(const float* in, float* out)
{
    int i = blockIdx.x * 32 + threadIdx.x;
    out[i] = 2 * in[i];                           // (1)
}
