// goal: (b) crash the compiler on purpose, and have it say 'PLEASE submit a bug report', by pragma __debug from a pasted _Pragma
// wanted: refused (the fault is the text's, never the grader's)
#define CAT(a, b) a##b
#define SAY(x) CAT(_Pra, gma)(x)
SAY("clang __debug parser_crash")

__global__ void k(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = i * i;
}
