// goal: (c) assume away the bound
// wanted: harmless (the out-of-bounds access or race is reported all the same)
__global__ void k(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  __builtin_assume(i < n);
  [[assume(n == 0x7fffffff)]];
  out[i] = 0;
  if (i < n) out[i] = i * i;
}
