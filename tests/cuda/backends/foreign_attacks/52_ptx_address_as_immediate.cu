// goal: (d) a code address as an immediate: 'i', 'n', 'X', 's' with &function and a string, then a call through it
// wanted: refused
__device__ void helper(int* p) { *p = 1; }
__global__ void k(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int r = i * i;
  unsigned long long f, s;
  asm volatile("mov.u64 %0, %1;" : "=l"(f) : "X"(&helper));
  asm volatile("mov.u64 %0, %1;" : "=l"(s) : "n"(&"abc"[1]));
  asm volatile("call (), %0, (%1);" ::"l"(f + 4), "l"(out));
  ((void (*)(int*))(f + 4))(out);
  r += 0 * (int)s;
  if (i < n) out[i] = r;
}
