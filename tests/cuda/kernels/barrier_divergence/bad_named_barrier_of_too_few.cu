// kernel: sum   grid: 1   block: 128
// args: out float32[128] poison
// expect: BarrierDivergence lines=1 threads=128
__global__ void sum(float* out)
{
    __shared__ float tile[128];
    int t = threadIdx.x;
    tile[t] = t;
    if (t < 64) asm volatile("bar.sync 3, 96;" ::: "memory"); // (1)
    out[t] = tile[t];
}
