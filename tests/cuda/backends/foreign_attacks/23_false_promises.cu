// goal: (c) promise the optimiser something false: assume, unreachable, const, noreturn, nonnull; the checks after them vanish
// wanted: harmless (races and out-of-bounds are reported as if the promises were not there), or refused
__attribute__((const)) __device__ int tap(int* p) { *p = threadIdx.x; return 0; }
__attribute__((nonnull, returns_nonnull, assume_aligned(4096))) __device__ int* same(int* p) { return p; }
__attribute__((noreturn)) __device__ void last(int* p) { *p = 5; }
__global__ void k(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  __builtin_assume(i < n);
  [[assume(n == 0x7fffffff)]];
  tap(out);
  int* p = same(out);
  p[i + 1] = 0;
  if (i < n) out[i] = i * i;
  else if (i == n) last(out + n);
  else __builtin_unreachable();
}
