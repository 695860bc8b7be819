// goal: (g) a kernel without the word __global__
// wanted: refused, or harmless (only k is judged)
__attribute__((device_kernel)) __device__ void k2(int* out, int n) { out[n] = 1; }
__attribute__((nvptx_kernel)) __device__ void k3(int* out, int n) { out[n] = 1; }
__global__ void k(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = i * i;
}
