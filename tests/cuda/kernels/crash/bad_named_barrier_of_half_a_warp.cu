// kernel: sum   grid: 1   block: 128
// args: out float32[128] poison
// expect: Crash lines=1 reason="barrier number"
__global__ void sum(float* out)
{
    __shared__ float tile[128];
    int t = threadIdx.x;
    tile[t] = t;
    asm volatile("bar.sync 3, %0;" :: "r"(48 + t / 128) : "memory"); // (1)
    out[t] = tile[t];
}
