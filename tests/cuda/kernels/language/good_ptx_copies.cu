// kernel: k   grid: 1   block: 32
// args: in uint32[128] arange, out uint32[128] poison, flag uint8[1] zeros, half uint16[4] zeros
// expect: nothing
// check: out == np.concatenate((np.arange(64, 0, -1), [0] * 32, np.arange(32) * 4 + 10))
// check: flag == np.array([7])
// check: half == np.array([0x4000, 0x3800, 0x4000, 0])
__device__ unsigned number(const void* p)
{
    return (unsigned)__cvta_generic_to_shared(p);
}

__global__ void k(const unsigned* in, unsigned* out, unsigned char* flag, unsigned short* half)
{
    __shared__ __align__(16) unsigned tile[64], rest[32];
    int t = threadIdx.x;
    if (t < 16)
        asm volatile("cp.async.cg.shared.global.L2::128B [%0], [%1], %2;\n" ::"r"(number(&tile[4 * t])), "l"(&in[4 * t]), "n"(16));
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(number(&rest[t])), "l"(&in[t]), "r"(0));
    unsigned address = number(&rest[t]);
    asm volatile(
        "{\n"
        "  .reg .pred p;\n"
        "  setp.ne.b32 p, %0, 0;\n"
        "  @p cp.async.ca.shared.global [%1], [%2], %3;\n"
        "}\n" ::"r"(0), "r"(address), "l"(in - 1000), "n"(4));
    asm volatile("cp.async.commit_group;\n" ::);
    asm volatile("cp.async.wait_group %0;" ::"n"(0));
    __syncthreads();
    out[t] = tile[63 - t] + 1;
    out[32 + t] = tile[31 - t] + 1;
    out[64 + t] = rest[t];
    if (t % 4 == 0) {
        unsigned a, b, c, d;
        asm volatile("ld.global.nc.v4.u32 {%0, %1, %2, %3}, [%4];" : "=r"(a), "=r"(b), "=r"(c), "=r"(d) : "l"(&in[t]));
        asm("vabsdiff4.u32.u32.u32.add %0, %1, %2, %3;" : "=r"(a) : "r"(0x01050304), "r"(0x02030408), "r"(4 * a));
        asm("vabsdiff4.u32.u32.u32.add %0, %1, %2, %3;" : "=r"(b) : "r"(0x00000306), "r"(0x00000300), "r"(4 * b + 4));
        asm volatile("st.global.v4.b32 [%4], {%0, %1, %2, %3};" ::"r"(a + 2), "r"(b), "r"(4 * c + 10), "r"(4 * d + 10), "l"(&out[96 + t]));
    }
    if (t < 2) {
        unsigned seen = 0;
        if (t == 0) half[0] = 0x4000, half[1] = 0x3800;
        if (t == 0) asm volatile("st.release.gpu.global.u8 [%0], %1;" ::"l"(flag), "r"(7) : "memory");
        while (t == 1 && seen != 7)
            asm volatile("ld.acquire.gpu.global.u8 %0, [%1];" : "=r"(seen) : "l"(flag) : "memory");
        if (t == 1) {
            asm("ex2.approx.f16 %0, %1;" : "=h"(half[2]) : "h"((unsigned short)(half[0] - 0x400)));
            unsigned two;
            asm("tanh.approx.f16x2 %0, %1;" : "=r"(two) : "r"(0x7c00));
            half[3] = two >> 16;
        }
    }
}
