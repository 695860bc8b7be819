// goal: (b) endless recursion
// wanted: harmless (a finding: stack overflow in the kernel)
__device__ int deep(int i) { volatile int a[64]; a[i & 63] = i; return i == -1 ? 0 : deep(i + 1) + a[i & 63]; }
__global__ void k(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = deep(i);
}
