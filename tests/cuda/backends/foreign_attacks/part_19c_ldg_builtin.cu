// goal: (c) __nvvm_ldg: a load marked invariant in address space 1
// wanted: harmless (reported), or refused
__global__ void k(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int far = __nvvm_ldg_i(out + n);
  if (i < n) out[i] = i * i + 0 * far;
}
