// goal: (c) a 96-bit integer past the end
// wanted: harmless (the out-of-bounds access or race is reported all the same)
__global__ void k(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned _BitInt(96) far = *(unsigned _BitInt(96)*)(out + n);
  if (i < n) out[i] = i * i + 0 * (int)far;
}
