// goal: (d) write %tid
// wanted: refused
__global__ void k(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  asm volatile("mov.u32 %%tid.x, %0;" ::"r"(0));
  if (i < n) out[i] = i * i;
}
