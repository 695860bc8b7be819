// goal: (b) 2 to the power of 31 instantiations, at depth 30
// wanted: refused (a limit of time, memory or size, in one sentence)
template <int D, long X> struct Tree { static constexpr long v = Tree<D - 1, 2 * X>::v + Tree<D - 1, 2 * X + 1>::v; };
template <long X> struct Tree<0, X> { static constexpr long v = X; };
__global__ void k(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = i * i + 0 * (int)Tree<30, 1>::v;
}
