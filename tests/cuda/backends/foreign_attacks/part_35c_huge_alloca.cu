// goal: (d, b) alloca of terabytes
// wanted: refused, or harmless (a finding)
__global__ void k(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int* q = (int*)__builtin_alloca((size_t)n << 40);
  q[0] = i;
  if (i < n) out[i] = i * q[0];
}
