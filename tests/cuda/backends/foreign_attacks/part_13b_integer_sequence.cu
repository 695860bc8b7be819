// goal: (b) a pack of a thousand million integers
// wanted: refused (a limit of time, memory or size, in one sentence)
template <class T, T... I> struct Seq { static constexpr int v = sizeof...(I); };
__global__ void k(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = i * i + 0 * __make_integer_seq<Seq, int, 1000000000>::v;
}
