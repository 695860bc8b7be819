// goal: (e) a function in .init
// wanted: refused
__attribute__((section(".init"))) __device__ void early() {}
__global__ void k(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  early();
  if (i < n) out[i] = i * i;
}
