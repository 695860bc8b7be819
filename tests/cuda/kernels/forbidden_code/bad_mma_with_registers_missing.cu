// kernel: multiply   grid: 1   block: 32
// args: out float32[4] poison
// expect: ForbiddenCode lines=1 construct="mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5}, {%6, %7}, {%0, %1, %2, %3}"
__global__ void multiply(float* out)
{
    float d[4] = {};
    unsigned a[2] = {}, b[2] = {};
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5}, {%6, %7}, {%0, %1, %2, %3};" // (1)
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "r"(a[0]), "r"(a[1]), "r"(b[0]), "r"(b[1]));
    if (threadIdx.x == 0) out[0] = d[0];
}
