// goal: (g) findings without lines, or with those of the prelude: nodebug, artificial, a lambda and a macro on one line
// wanted: harmless (the race is reported, with a line of the text or plainly without one, never with a fault)
__attribute__((nodebug)) __device__ void racy(int* s, int i) { s[0] = i; }
__attribute__((nodebug, artificial, always_inline)) inline __device__ int get(int* s) { return s[0]; }
__attribute__((nodebug)) __global__ void k(int* out, int n) {
  __shared__ int s[1];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  auto put = [=](int v) __attribute__((nodebug)) { s[0] = v; };
  racy(s, i);
  put(i);
  if (i < n) out[i] = i * i + 0 * get(s);
}
