// goal: (c) unreachable after the error
// wanted: harmless (the out-of-bounds store is reported; no fall into another function)
__global__ void k(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) { out[i] = 1; __builtin_unreachable(); }
  if (i < n) out[i] = i * i;
}
