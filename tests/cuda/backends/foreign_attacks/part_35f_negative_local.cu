// goal: (d) overwrite the return address through a local array with a computed index
// wanted: harmless (reported; nothing is overwritten)
__device__ int f(int* p, int n) { int a[2] = {0, 0}; for (int j = -64; j < 64; j++) a[j + 0 * n] = 0x41414141; return a[0]; }
__global__ void k(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = i * i + 0 * f(out, n);
}
