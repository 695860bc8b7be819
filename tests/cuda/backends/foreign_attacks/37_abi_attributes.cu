// goal: (d) break the calling convention and the code of x86 by attributes that NVPTX lets pass: target, ms_abi, regcall, naked ...
// wanted: refused, or harmless (the attributes do nothing: no SIGILL, no wrong arguments)
__attribute__((target("avx512f"))) __device__ void wide(float* p) { for (int j = 0; j < 16; j++) p[j] = 0; }
__attribute__((ms_abi)) __device__ int win(int a, int b) { return a * b; }
__attribute__((regcall)) __device__ int reg(int a, int b) { return a * b; }
__attribute__((preserve_none)) __device__ int none(int a, int b) { return a * b; }
__attribute__((swiftcall)) __device__ int swift(int a, int b) { return a * b; }
__attribute__((speculative_load_hardening, zero_call_used_regs("all"))) __device__ int slh(int* p) { return *p; }
__attribute__((returns_twice)) __device__ int twice(int a) { return a; }
__attribute__((aligned(1 << 28))) __device__ int far(int a) { return a; }
__attribute__((naked)) __device__ int naked(int) {}
typedef int (*plain)(int, int);
__global__ void k(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float f[16];
  wide(f);
  plain p = (plain)(void*)win;
  if (i < n) out[i] = reg(i, i) + 0 * none(i, i) + 0 * swift(i, i) + 0 * twice(i) + 0 * far(i) + (int)f[0];
  if (i == 0) out[0] = p(i, i) + 0 * slh(out) + 0 * naked(1);
}
