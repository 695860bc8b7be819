// kernel: multiply   grid: 1   block: 32
// args: out float32[128] poison
// expect: BarrierDivergence threads=32 lines=2,3
__device__ void multiply_add(float (&d)[4], unsigned a, unsigned b)
{
    asm volatile("mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %4}, {%5}, {%0, %1, %2, %3};" : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "r"(a), "r"(b)); // (1)
}
__global__ void multiply(float* out)
{
    float d[4] = {};
    unsigned a = threadIdx.x, b = 1;
    if (threadIdx.x < 16) multiply_add(d, a, b);  // (2)
    else multiply_add(d, a, b);                   // (3)
    for (int i = 0; i < 4; i++) out[threadIdx.x * 4 + i] = d[i];
}
