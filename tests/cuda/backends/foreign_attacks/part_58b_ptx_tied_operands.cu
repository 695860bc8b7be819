// goal: (f) writing an input, tied and early-clobber operands, alternatives, names: the order of copies differs between translators
// wanted: refused, or harmless (the result is what ptxas computes)
__global__ void k(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int r = i * i;
  int a = i, b = i, keep = 5;
  asm("add.s32 %0, %1, %2;\n\tadd.s32 %0, %0, %2;" : "=r"(a) : "r"(b), "r"(b));
  r += 0 * a + 0 * b + keep - 5;
  if (i < n) out[i] = r;
}
