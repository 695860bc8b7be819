// goal: (b) hours of compile time: each evaluation stays below clang's limit of steps, but there are ten thousand of them
// wanted: refused (time limit of the compiler, one sentence)
constexpr long f(int d) { return d ? f(d - 1) + f(d - 1) : 1; }
#define TEN(x) x x x x x x x x x x
#define ALL(x) TEN(TEN(TEN(TEN(x))))
ALL(static_assert(f(17) > 0);)

__global__ void k(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = i * i;
}
