// goal: (c) accesses without a load or store in the IR: memory operands '=m', 'm', '+m', '=*r,m'; the word asm is pasted
// wanted: refused (PTX has no such operands)
#define CAT(a, b) a##b
__global__ void k(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int r = i * i;
  CAT(a, sm) volatile("st.global.u32 %0, %1;" : "=m"(out[n + i]) : "r"(i));
  CAT(__as, m) volatile("ld.global.u32 %0, %1;" : "=r"(r) : "m"(out[n + i + 1]));
  asm volatile("" : "+m"(out[n + i]));
  asm volatile("mov.u32 %0, %1;" : "=r,m"(out[n]) : "rim,g"(r));
  r = i * i;
  if (i < n) out[i] = r;
}
