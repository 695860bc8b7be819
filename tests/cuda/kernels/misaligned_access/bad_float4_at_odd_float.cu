// kernel: copy   grid: 1   block: 8
// args: in float32[40] random, out float32[32] poison
// expect: MisalignedAccess lines=1 width=16 address_mod=4 array=in
__global__ void copy(const float* in, float4* out)
{
    out[threadIdx.x] = *(const float4*)(in + 4 * threadIdx.x + 1); // (1)
}
