// goal: (a) read a file by #include_next
// wanted: refused
#include_next </etc/hostname>
__global__ void k(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = i * i;
}
