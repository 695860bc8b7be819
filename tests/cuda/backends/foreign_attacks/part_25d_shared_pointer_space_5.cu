// goal: (c) a local pointer in address space 5 and a 32-bit-like one in 3
// wanted: refused, or harmless (reported)
typedef int __attribute__((address_space(3))) shared_t;
typedef int __attribute__((address_space(5))) local_t;
__global__ void k(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  *(shared_t*)(unsigned long)(4 * i) = i;
  *(local_t*)4096 = 1;
  if (i < n) out[i] = i * i;
}
