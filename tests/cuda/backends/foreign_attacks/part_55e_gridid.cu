// goal: (a, f) read %gridid
// wanted: refused (or the same meaning as on the GPU; never the machine's time)
__global__ void k(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned long long t = 0;
  unsigned u = 0;
  asm volatile("mov.u64 %0, %%gridid;" : "=l"(t));
  if (i < n) out[i] = i ? i * i : (int)(t + u);
}
