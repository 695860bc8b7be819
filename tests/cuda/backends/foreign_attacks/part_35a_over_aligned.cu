// goal: (d) a local aligned to 256 MiB: the prologue masks the stack pointer
// wanted: refused, or harmless (a finding)
__global__ void k(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  alignas(1 << 28) int a[4];
  a[i & 3] = i;
  if (i < n) out[i] = i * a[i & 3];
}
