// goal: (f, c) the translator and ptxas end the string at different places: comments, a NUL, a missing semicolon, odd blanks
// wanted: refused (anything that is not one plain instruction)
__global__ void k(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int r = i * i;
  asm volatile("add/**/.s32 %0, %1, 0;\0 st.global.u32 [%2], %1;" : "=r"(r) : "r"(r), "l"(out + n));
  if (i < n) out[i] = r;
}
