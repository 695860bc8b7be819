// goal: (f, c) the translator and ptxas end the string at different places: comments, a NUL, a missing semicolon, odd blanks
// wanted: refused (anything that is not one plain instruction)
__global__ void k(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int r = i * i;
  asm volatile("add.s32 %0, %1, 0; // fine\n\tst.global.u32 [%2], %1;" : "=r"(r) : "r"(r), "l"(out + n));
  asm volatile("add.s32 %0, %1, 0; /* ; */ st.global.u32 [%2], %1; /*" "*/" : "=r"(r) : "r"(r), "l"(out + n));
  asm volatile("add/**/.s32 %0, %1, 0;\0 st.global.u32 [%2], %1;" : "=r"(r) : "r"(r), "l"(out + n));
  asm volatile("add.s32\v%0,\r%1,\f0" : "=r"(r) : "r"(r));
  asm volatile("ADD.S32 %0, %1, 0x0U; ;; $L: .loc 1 700 1" : "=r"(r) : "r"(r));
  if (i < n) out[i] = r;
}
