// goal: (d, b) move the stack pointer out of the stack: an over-aligned local, a huge frame, alloca of terabytes, a frame's return slot
// wanted: refused, or harmless (one finding: too much local memory)
__device__ int big(int i) { char far[1ull << 36]; far[i] = 1; return far[i]; }
__global__ void k(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  alignas(1 << 28) int a[4];
  a[i & 3] = i;
  int* q = (int*)__builtin_alloca((size_t)n << 40);
  q[0] = i;
  if (i < n) out[i] = i * i + 0 * a[i & 3];
  if (i == 0) out[0] = 1 - big(i);
  if (i == 1) ((void**)__builtin_frame_address(0))[1] = (void*)k;
}
