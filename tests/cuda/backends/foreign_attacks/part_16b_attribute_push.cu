// goal: (c) code that is not instrumented: pragma clang attribute puts disable_sanitizer_instrumentation on all functions
// wanted: refused, or harmless (the race on s is reported all the same)
#define CAT(a, b) a##b
#define SAY(x) CAT(_Pra, gma)(x)
__device__ void racy(int* s, int i) { s[0] = i; }
[[gnu::no_sanitize("thread"), clang::disable_sanitizer_instrumentation]]
__global__ void k(int* out, int n) {
  __shared__ int s[1];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  racy(s, i);
  if (i < n) out[i] = i * i + 0 * s[0];
}
