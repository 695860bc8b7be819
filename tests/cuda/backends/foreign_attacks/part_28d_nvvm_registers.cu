// goal: (a, f) time and place, by __nvvm builtins
// wanted: refused (or fixed values)
__global__ void k(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  long t = __nvvm_read_ptx_sreg_globaltimer() + __nvvm_read_ptx_sreg_clock64() + __nvvm_read_ptx_sreg_smid();
  if (i < n) out[i] = i ? i * i : (int)t;
}
