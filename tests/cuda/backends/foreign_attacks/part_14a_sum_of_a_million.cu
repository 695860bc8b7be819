// goal: (b) overflow the stack: an expression of a million operators
// wanted: refused (a limit of time, memory or size, in one sentence)
#define TEN(x) x x x x x x x x x x
#define ALL(x) TEN(TEN(TEN(TEN(TEN(x)))))
__global__ void k(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int d = n;
  if (i < n) out[i] = i * i + 0 * (0 TEN(ALL(+d)));
}
