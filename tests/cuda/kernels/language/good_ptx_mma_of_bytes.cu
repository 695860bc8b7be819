// kernel: k   grid: 1   block: 32
// args: a int32[128] random, b int32[64] random, out int32[128] poison, small int32[128] poison
// expect: nothing
// check: out == (a.view(np.int8).reshape(16, 32).astype(int) @ b.view(np.uint8).reshape(8, 32).astype(int).T + 5).ravel()
// check: small == (a.view(np.int8).reshape(16, 32)[:, :16].astype(int) @ b.view(np.int8).reshape(8, 32)[:, :16].astype(int).T).ravel()
__global__ void k(const int* a, const int* b, int* out, int* small)
{
    int row = threadIdx.x / 4, word = threadIdx.x % 4;
    int a0 = a[row * 8 + word], a1 = a[(row + 8) * 8 + word], a2 = a[row * 8 + word + 4], a3 = a[(row + 8) * 8 + word + 4];
    int b0 = b[row * 8 + word], b1 = b[row * 8 + word + 4], c[4];
    asm("mma.sync.aligned.m16n8k32.row.col.satfinite.s32.s8.u8.s32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%10,%10,%10,%10};"
        : "=r"(c[0]), "=r"(c[1]), "=r"(c[2]), "=r"(c[3])
        : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "r"(b0), "r"(b1), "r"(5));
    for (int i = 0; i < 4; i++) out[(row + i / 2 * 8) * 8 + word * 2 + i % 2] = c[i];
    asm("mma.sync.aligned.m16n8k16.row.col.s32.s8.s8.s32 {%0,%1,%2,%3}, {%4,%5}, {%6}, {%7,%7,%7,%7};"
        : "=r"(c[0]), "=r"(c[1]), "=r"(c[2]), "=r"(c[3])
        : "r"(a0), "r"(a1), "r"(b0), "r"(0));
    for (int i = 0; i < 4; i++) small[(row + i / 2 * 8) * 8 + word * 2 + i % 2] = c[i];
}
