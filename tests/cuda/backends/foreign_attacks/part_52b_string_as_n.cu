// goal: (d) a string's address as an immediate
// wanted: refused
__global__ void k(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned long long s;
  asm volatile("mov.u64 %0, %1;" : "=l"(s) : "n"(&"abc"[1]));
  if (i < n) out[i] = i * i + 0 * (int)s;
}
