// kernel: reverse   grid: 1   block: 128
// args: in int32[128] arange, out int32[128] poison
// expect: Race lines=1,2 array=tile hazard=read-after-write scope=block count=128
__global__ void reverse(const int* in, int* out)
{
    __shared__ int tile[128];
    tile[threadIdx.x] = in[threadIdx.x];          // (1)
    out[threadIdx.x] = tile[127 - threadIdx.x];   // (2)
}
