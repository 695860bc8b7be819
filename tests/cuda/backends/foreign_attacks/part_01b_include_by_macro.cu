// goal: (a) read a file by a computed include: an allowed header's name is a macro
// wanted: refused
#define cuda_runtime </etc/hostname>
#define HERE(x) </etc/hostname>
#include HERE(cuda_runtime.h)
__global__ void k(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = i * i;
}
