// goal: (b, c) branches between asm and C++: asm goto, a jump to itself, and a jump into another asm block
// wanted: refused (asm goto, labels, bra)
__global__ void k(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int r = i * i;
  asm goto("bra %l0;" : : : : away);
  r = -1;
away:
  asm goto("brx.idx %0, %l1;" : : "r"(i) : "memory" : away, done);
  asm volatile("HERE: bra HERE;");
  asm volatile("ret;");
done:
  if (i < n) out[i] = r;
}
