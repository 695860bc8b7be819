// kernel: compact   grid: 1   block: 32
// args: in int32[32] arange, out int32[32] poison
// expect: Race lines=1,2 array=s hazard=read-after-write scope=warp
__global__ void compact(const int* in, int* out)
{
    __shared__ int s[32];
    int t = threadIdx.x;
    s[t] = in[t];                                 // (1)
    unsigned odd = __ballot_sync(0xffffffffu, in[t] % 2);
    out[t] = s[31 - t] + __popc(odd);             // (2)
}
