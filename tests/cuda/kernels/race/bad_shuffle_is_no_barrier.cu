// kernel: shuffle_order   grid: 1   block: 32
// args: in int32[32] arange, out int32[32] poison
// expect: Race lines=1,2 array=s hazard=read-after-write scope=warp count=32
__global__ void shuffle_order(const int* in, int* out)
{
    __shared__ int s[32];
    int t = threadIdx.x;
    s[t] = in[t];                                 // (1)
    int sum = __shfl_xor_sync(0xffffffffu, t, 1); // exchanges a value, orders no memory
    out[t] = s[31 - t] + sum;                     // (2)
}
