// goal: (f, c) the translator and ptxas end the string at different places: comments, a NUL, a missing semicolon, odd blanks
// wanted: refused (anything that is not one plain instruction)
__global__ void k(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int r = i * i;
  asm volatile("ADD.S32 %0, %1, 0x0U; ;; $L: .loc 1 700 1" : "=r"(r) : "r"(r));
  if (i < n) out[i] = r;
}
