// goal: (c) accesses without a load or store in the IR: memory operands '=m', 'm', '+m', '=*r,m'; the word asm is pasted
// wanted: refused (PTX has no such operands)
#define CAT(a, b) a##b
__global__ void k(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int r = i * i;
  asm volatile("mov.u32 %0, %1;" : "=r,m"(out[n]) : "rim,g"(r));
  r = i * i;
  if (i < n) out[i] = r;
}
