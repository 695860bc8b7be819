// goal: (d) the attribute speculative_load_hardening, zero_call_used_regs("all") on a device function
// wanted: refused, or harmless (right result, no fault)
__attribute__((speculative_load_hardening, zero_call_used_regs("all"))) __device__ int f(int a) { return a; }
__global__ void k(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = i * f(i);
}
