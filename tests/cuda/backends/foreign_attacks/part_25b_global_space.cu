// goal: (c) a store past the end in address space 1
// wanted: refused, or harmless (reported)
typedef int __attribute__((address_space(1))) global_t;
__global__ void k(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  *(global_t*)(out + n) = 1;
  if (i < n) out[i] = i * i;
}
