// goal: (d) a function's address as operand X
// wanted: refused
__device__ void helper(int* p) { *p = 1; }
__global__ void k(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned long long f;
  asm volatile("mov.u64 %0, %1;" : "=l"(f) : "X"(&helper));
  if (i == 0) ((void (*)(int*))(f + 4))(out);
  if (i < n) out[i] = i * i;
}
