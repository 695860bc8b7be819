// goal: (c) nontemporal load and store past the end
// wanted: harmless (the out-of-bounds access or race is reported all the same)
__global__ void k(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int far = __builtin_nontemporal_load(out + n);
  __builtin_nontemporal_store(far, out + n + 1);
  if (i < n) out[i] = i * i + 0 * far;
}
