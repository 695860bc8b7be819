// goal: (c) expand-load and compress-store without a hook
// wanted: refused (unknown intrinsic), or harmless (reported)
typedef int int8 __attribute__((ext_vector_type(8)));
typedef bool bool8 __attribute__((ext_vector_type(8)));
__global__ void k(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  bool8 all = {1, 1, 1, 1, 1, 1, 1, 1};
  int8 far = __builtin_masked_expand_load(all, out + n);
  __builtin_masked_compress_store(all, far, out + n);
  if (i < n) out[i] = i * i + 0 * far[0];
}
