// kernel: shift   grid: 1   block: 8
// args: out float32[40] poison
// expect: MisalignedAccess lines=1 width=16 space=shared
__global__ void shift(float* out)
{
    __shared__ __align__(16) float from[40], to[40];
    for (int i = threadIdx.x; i < 40; i += 8) from[i] = to[i] = i;
    __syncthreads();
    *(float4*)&to[4 * threadIdx.x] = *(const float4*)&from[4 * threadIdx.x + 1]; // (1)
    __syncthreads();
    out[threadIdx.x] = to[threadIdx.x];
}
