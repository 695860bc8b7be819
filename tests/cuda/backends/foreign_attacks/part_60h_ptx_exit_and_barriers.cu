// goal: (b, c) hang or blind the barrier: threads that exit or trap, barriers with counts and numbers, endless sleep
// wanted: refused, or harmless (a deadlock and the race on s are reported within the time limit)
__global__ void k(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int r = i * i;
  __shared__ int s;
  __syncthreads();
  asm volatile("brkpt; discard.global.L2 [%0], 128;" ::"l"(out));
  r += 0 * s;
  if (i < n) out[i] = r;
}
