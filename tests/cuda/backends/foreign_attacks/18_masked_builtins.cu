// goal: (c) loads and stores that are calls of intrinsics: __builtin_masked_load/store/gather have no hook
// wanted: refused (unknown intrinsic), or harmless (out-of-bounds is reported)
typedef int int8 __attribute__((ext_vector_type(8)));
typedef bool bool8 __attribute__((ext_vector_type(8)));
__global__ void k(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  bool8 all = {1, 1, 1, 1, 1, 1, 1, 1};
  int8 far = __builtin_masked_load(all, out + n);
  __builtin_masked_store(all, far, out + n + 8);
  if (i < n) out[i] = i * i + 0 * far[0];
}
