// goal: (d, b) a frame of 64 GiB
// wanted: refused, or harmless (a finding)
__device__ int big(int i) { char far[1ull << 36]; far[i] = 1; return far[i]; }
__global__ void k(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = i * i + 1 - big(i);
}
