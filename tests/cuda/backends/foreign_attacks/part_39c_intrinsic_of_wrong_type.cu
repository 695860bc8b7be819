// goal: (b) an intrinsic declared with another type: 'Broken module found'
// wanted: refused
extern "C" __device__ void wrong(int) asm("ll" "vm.memcpy.p0.p0.i64");
__global__ void k(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < 0) wrong(3);
  if (i < n) out[i] = i * i;
}
