// goal: (d) the attribute weak on a device function
// wanted: refused, or harmless (right result, no fault)
__attribute__((weak)) __device__ int f(int a) { return a; }
__global__ void k(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = i * f(i);
}
