// goal: (c) out-of-bounds and uninitialised reads unseen: ThreadSanitizer leaves out a local whose address does not escape
// wanted: harmless (the reads past a, the write past b and the uninitialised a[3] are reported; the stack is not overwritten)
__global__ void k(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int a[4], b[4];
  a[0] = i;
  b[4 + (i & 63)] = 0;
  int far = a[i + 4], none = a[3];
  if (i < n) out[i] = i * i + 0 * far + 0 * none;
}
