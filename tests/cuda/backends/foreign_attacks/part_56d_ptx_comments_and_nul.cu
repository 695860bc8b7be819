// goal: (f, c) the translator and ptxas end the string at different places: comments, a NUL, a missing semicolon, odd blanks
// wanted: refused (anything that is not one plain instruction)
__global__ void k(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int r = i * i;
  asm volatile("add.s32\v%0,\r%1,\f0" : "=r"(r) : "r"(r));
  if (i < n) out[i] = r;
}
