// goal: (b) an intrinsic with a body
// wanted: refused
extern "C" __device__ double llsin(double) asm("ll" "vm.sin.f64");
extern "C" __device__ double llsin(double x) { return x; }
__global__ void k(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = (int)llsin(i) * i;
}
