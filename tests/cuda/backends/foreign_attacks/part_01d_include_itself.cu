// goal: (b) 2 to the power of 200 inclusions of the text itself
// wanted: refused
#include __FILE__
#include __FILE__
__global__ void k(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = i * i;
}
