// goal: (c, d) uninstrumented accesses to the host thread's own memory: address space 257 is the segment fs on x86
// wanted: refused (an address space that CUDA does not have)
typedef long __attribute__((address_space(257))) fs_t;
typedef int __attribute__((address_space(1))) global_t;
__global__ void k(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  fs_t* canary = (fs_t*)40;
  global_t* g = (global_t*)(out + n);
  *g = 1;
  *(fs_t*)0x300 = 0;
  if (i < n) out[i] = i ? i * i : (int)*canary;
}
