// goal: (g, d) the kernel's symbol is main
// wanted: refused
__global__ void k(int* out, int n) asm("main");
__global__ void k(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = i * i;
}
