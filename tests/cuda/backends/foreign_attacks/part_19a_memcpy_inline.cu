// goal: (c) a copy that no hook sees: llvm.memcpy.inline and memset.inline past the end of out
// wanted: refused, or harmless (out-of-bounds is reported)
__global__ void k(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int t[4];
  __builtin_memcpy_inline(t, out + n, sizeof(t));
  if (i < n) out[i] = i * i + 0 * t[0];
}
