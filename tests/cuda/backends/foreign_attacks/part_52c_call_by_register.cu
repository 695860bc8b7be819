// goal: (d) an indirect PTX call
// wanted: refused
__device__ void helper(int* p) { *p = 1; }
__global__ void k(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  asm volatile("call (), %0, (%1);" ::"l"((unsigned long long)helper + 4), "l"(out));
  if (i < n) out[i] = i * i;
}
