// goal: (c) an uninitialised value frozen by a builtin
// wanted: harmless (the result is wrong or refused)
__global__ void k(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int u;
  int z = __builtin_nondeterministic_value(u);
  if (i < n) out[i] = i * i + 0 * z;
}
