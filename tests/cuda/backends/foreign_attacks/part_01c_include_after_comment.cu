// goal: (a) read a file: a comment between # and include
// wanted: refused
# /* */ include/**/</etc/hostname>
__global__ void k(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = i * i;
}
