// goal: (c, f) guarded instructions and a block of its own registers: a table that ignores '@!p' or '.reg' computes something else
// wanted: refused (predicates, .reg), or harmless (the guarded store is judged as ptxas would do it)
__global__ void k(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int r = i * i;
  asm volatile(
      "{\n\t.reg .pred p;\n\t.reg .u32 t;\n\tsetp.ge.s32 p, %1, %2;\n\t"
      "@!p bra SKIP_%=;\n\t@p st.global.u32 [%3], %1;\n\tSKIP_%=:\n\t"
      "@p mov.u32 %0, 0;\n\t@!p mul.lo.s32 %0, %1, %1;\n\t}"
      : "=&r"(r)
      : "r"(i), "r"(n), "l"(out + i)
      : "memory");
  if (i < n) out[i] = r;
}
