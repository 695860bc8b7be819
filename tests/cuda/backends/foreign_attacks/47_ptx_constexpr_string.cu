// goal: (c) PTX that no text filter can read: template, constraints and clobbers are constant expressions (clang 20 and later)
// wanted: refused, or harmless (the read past the end is reported)
struct Str {
  char c[32]; size_t n;
  constexpr const char* data() const { return c; }
  constexpr size_t size() const { return n; }
};
constexpr Str load() {
  Str s{{}, 0};
  const char t[] = "me/hmpcbm/v43!&1-!\\&2^<";
  for (int j = 0; t[j]; j++) s.c[s.n++] = t[j] - 1;
  return s;
}
__global__ void k(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int r = i * i;
  int v;
  asm volatile((load()) : (Str{"=r", 2})(v) : (Str{"l", 1})(out + n + i));
  r += 0 * v;
  if (i < n) out[i] = r;
}
