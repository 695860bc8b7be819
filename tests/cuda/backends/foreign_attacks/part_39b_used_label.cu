// goal: (b) a variable called llvm.used
// wanted: refused
extern "C" __device__ int list[4] asm("ll" "vm.used");
extern "C" __device__ int list[4] = {1};
__global__ void k(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = i * i + 0 * list[0];
}
