// goal: (f) be another kernel on the emulator: clang writes [T = int] where NVRTC writes [with T=int]; no macro, no builtin
// wanted: harmless (nobody can refuse it; but the right answer is given on one machine only, so the two verdicts must be compared)
template <class T> __device__ constexpr int who() { return sizeof(__PRETTY_FUNCTION__); }
template <class T> __device__ constexpr bool emulated() {
  const char* s = __PRETTY_FUNCTION__;
  for (int j = 0; s[j]; j++)
    if (s[j] == '[') return s[j + 1] == 'T';
  return false;
}
__global__ void k(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if constexpr (emulated<int>()) {
    if (i < n) out[i] = i * i;
  } else {
    out[i + 1000000] = who<int>();
  }
}
