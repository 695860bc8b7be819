// goal: (d) overwrite the return slot through __builtin_frame_address
// wanted: refused, or harmless (reported)
__global__ void k(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  ((void**)__builtin_frame_address(0))[1] = (void*)k;
  if (i < n) out[i] = i * i;
}
