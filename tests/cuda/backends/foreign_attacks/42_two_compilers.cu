// goal: (f) show PTX only to NVRTC and a decent kernel only to clang: the macro's name is pasted, sizes and builtins tell as well
// wanted: refused (or harmless: the names give the same values as NVRTC's)
#define CAT(a, b) a##b
#define IS(x) defined(x)
#if CAT(__cla, ng__) || CAT(__clang_ma, jor__) >= 22
#define EMULATED 1
#else
#define EMULATED 0
#endif
__global__ void k(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  bool emulated = EMULATED || !__builtin_constant_p(sizeof(out) * 2 - 16 + 0 * n) || sizeof(long double) == 8;
  if (emulated && i < n) out[i] = i * i;
#if !EMULATED
  asm volatile("st.global.u32 [%0], %1;" ::"l"(out + n + i), "r"(i) : "memory");
#endif
}
