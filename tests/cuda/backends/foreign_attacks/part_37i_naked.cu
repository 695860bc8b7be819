// goal: (d) the attribute naked on a device function
// wanted: refused, or harmless (right result, no fault)
__attribute__((naked)) __device__ int f(int) {}
__global__ void k(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = i * f(i);
}
