// goal: (c, d) raw 32-bit shared addresses and other windows: st.shared outside the block's memory, ld.local, st.param, cvta
// wanted: refused, or harmless (each access outside __shared__ s is reported; no host memory is touched)
__global__ void k(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int r = i * i;
  __shared__ int s[32];
  unsigned base = (unsigned)(unsigned long long)__cvta_generic_to_shared(s);
  unsigned long long g;
  asm volatile("st.shared.u32 [%0 + 1048576], %1;" ::"r"(base), "r"(i) : "memory");
  r = i * i + 0 * s[threadIdx.x & 31];
  if (i < n) out[i] = r;
}
