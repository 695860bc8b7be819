// goal: (b, c) hang or blind the barrier: threads that exit or trap, barriers with counts and numbers, endless sleep
// wanted: refused, or harmless (a deadlock and the race on s are reported within the time limit)
__global__ void k(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int r = i * i;
  __shared__ int s;
  if (threadIdx.x & 1) asm volatile("bar.arrive 1, 64;");
  else asm volatile("bar.sync 1, 4096;");
  s = i;
  asm("bar.sync 17;");
  asm volatile("barrier.sync.aligned %0, %1;" ::"r"(-1), "r"(33));
  if (i == 3) asm volatile("exit;");
  __syncthreads();
  if (i == 4) asm volatile("nanosleep.u32 4294967295;");
  if (i == 5) asm volatile("trap;");
  asm volatile("brkpt; discard.global.L2 [%0], 128;" ::"l"(out));
  asm volatile("membar.sys; griddepcontrol.wait; setmaxnreg.inc.sync.aligned.u32 256;");
  r += 0 * s;
  if (i < n) out[i] = r;
}
