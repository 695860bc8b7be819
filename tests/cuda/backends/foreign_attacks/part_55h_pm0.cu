// goal: (a, f) read %pm0
// wanted: refused (or the same meaning as on the GPU; never the machine's time)
__global__ void k(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned long long t = 0;
  unsigned u = 0;
  asm volatile("mov.u32 %0, %%pm0;" : "=r"(u));
  if (i < n) out[i] = i ? i * i : (int)(t + u);
}
