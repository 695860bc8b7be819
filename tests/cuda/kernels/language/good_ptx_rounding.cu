// kernel: k   grid: 1   block: 1
// args: f float32[6] poison
// expect: nothing
// check: f == [1 + 2**-23, 1, -1.0 - 2**-23, -1, np.nextafter(np.float32(1) / np.float32(3), np.float32(1)), 0.33333331]
__global__ void k(float* f)
{
    asm("add.rp.f32 %0, %2, %3; add.rz.f32 %1, %2, %3;" : "=f"(f[0]), "=f"(f[1]) : "f"(1.0f), "f"(0x1p-30f));
    asm("sub.rm.f32 %0, %2, %3; fma.rz.f32 %1, %3, %4, %2;"
        : "=f"(f[2]), "=f"(f[3])
        : "f"(-1.0f), "f"(0x1p-30f), "f"(-1.0f));
    asm("div.rp.f32 %0, %2, %3; rcp.rz.f32 %1, %3;" : "=f"(f[4]), "=f"(f[5]) : "f"(1.0f), "f"(3.0f));
}
