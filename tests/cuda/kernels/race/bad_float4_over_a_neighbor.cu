// kernel: clear   grid: 1   block: 64
// args: out float32[128] zeros
// expect: Race lines=1,2 array=out hazard=write-after-write scope=block
__global__ void clear(float4* out)
{
    if (threadIdx.x < 32) out[threadIdx.x] = make_float4(0, 0, 0, 0); // (1)
    else ((float*)out)[4 * (threadIdx.x - 32) + 3] = 1.0f; // (2)
}
