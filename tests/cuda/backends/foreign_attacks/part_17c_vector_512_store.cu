// goal: (c) a 512-bit store past the end
// wanted: harmless (the out-of-bounds access or race is reported all the same)
typedef int int16 __attribute__((vector_size(64)));
__global__ void k(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  ((int16*)out)[n] = int16{};
  if (i < n) out[i] = i * i;
}
