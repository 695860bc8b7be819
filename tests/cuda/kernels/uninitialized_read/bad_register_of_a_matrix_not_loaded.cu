// kernel: multiply   grid: 1   block: 32
// args: out float32[4] poison
// expect: UninitializedRead lines=1 array=a
__global__ void multiply(float* out)
{
    unsigned a[4], b[2] = {};
    float d[4] = {};
    for (int i = 0; i < 3; i++) a[i] = 0;
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};" : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1])); // (1)
    if (threadIdx.x == 0) out[0] = d[0];
}
