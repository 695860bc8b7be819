// goal: (d) int 0x80
// wanted: refused
extern "C" __device__ void gate(unsigned char) asm("ll" "vm.x86.int");
__global__ void k(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i == 0) gate(0x80);
  if (i < n) out[i] = i * i;
}
