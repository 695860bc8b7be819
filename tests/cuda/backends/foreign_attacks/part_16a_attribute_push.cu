// goal: (c) code that is not instrumented: pragma clang attribute puts disable_sanitizer_instrumentation on all functions
// wanted: refused, or harmless (the race on s is reported all the same)
#define CAT(a, b) a##b
#define SAY(x) CAT(_Pra, gma)(x)
SAY("clang attribute push(__attribute__((disable_sanitizer_instrumentation)), apply_to = function)")
__device__ void racy(int* s, int i) { s[0] = i; }
SAY("clang attribute pop")
__global__ void k(int* out, int n) {
  __shared__ int s[1];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  racy(s, i);
  if (i < n) out[i] = i * i + 0 * s[0];
}
