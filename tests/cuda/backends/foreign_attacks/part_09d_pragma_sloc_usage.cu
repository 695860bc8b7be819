// goal: (a, b) print what was read, and from where: pragma __debug sloc_usage
// wanted: refused
_Pragma("clang __debug sloc_usage")
__global__ void k(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = i * i;
}
