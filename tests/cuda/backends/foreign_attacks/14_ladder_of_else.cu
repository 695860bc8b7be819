// goal: (b) overflow the parser's stack: a macro that nests a hundred thousand if-else
// wanted: refused (one sentence; a crash of clang with signal 11 is not the grader's fault)
#define TEN(x) x x x x x x x x x x
#define ALL(x) TEN(TEN(TEN(TEN(TEN(x)))))
__global__ void k(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int d = n;
  ALL(if (d-- == i) out[i] = i * i; else) ;
}
