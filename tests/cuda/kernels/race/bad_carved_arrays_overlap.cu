// kernel: pair_up   grid: 1   block: 64   shared_mem: 508
// args: out float32[64] poison, n int32 64
// expect: Race lines=1,2 array=buffer hazard=write-after-write scope=block count=1
__global__ void pair_up(float* out, int n)
{
    extern __shared__ float buffer[];
    float* a = buffer;
    float* b = buffer + n - 1;                    // one element too early
    int t = threadIdx.x;
    a[t] = t;                                     // (1)
    b[t] = -t;                                    // (2)
    __syncthreads();
    out[t] = a[t] + b[t];
}
