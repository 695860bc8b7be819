// kernel: fill   grid: 1   block: 8
// args: out float32[40] poison
// expect: MisalignedAccess lines=1 width=16 array=s space=shared action=write
__global__ void fill(float* out)
{
    __shared__ __align__(16) float s[40];
    *(float4*)(s + 4 * threadIdx.x + 2) = make_float4(1, 2, 3, 4); // (1)
    __syncthreads();
    out[threadIdx.x] = s[threadIdx.x + 2];
}
