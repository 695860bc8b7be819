// goal: (c) a 256-bit load past the end
// wanted: harmless (the out-of-bounds access or race is reported all the same)
typedef int int8 __attribute__((ext_vector_type(8)));
__global__ void k(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int8* v = (int8*)out;
  int8 far = v[i + n];
  if (i < n) out[i] = i * i + 0 * far.s7;
}
