// goal: (b) crash: pragma __debug llvm_fatal_error
// wanted: refused
_Pragma("clang __debug llvm_fatal_error")
__global__ void k(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = i * i;
}
