// goal: (d) call libc by pragma redefine_extname
// wanted: refused
#pragma redefine_extname act system
extern "C" __device__ int act(const char*);
__global__ void k(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i == 0) act("true");
  if (i < n) out[i] = i * i;
}
