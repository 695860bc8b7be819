// goal: (e) run at load time, outside the kernel: a function pointer in .init_array, data in .text, a section name with a newline
// wanted: refused (a section attribute)
__device__ void early() {}
__device__ __attribute__((section(".init_array"), used)) void (*first)() = early;
__device__ __attribute__((section(".preinit_array"), used)) void (*zeroth)() = early;
__device__ __attribute__((section("x\",\"ax\",@progbits\n.globl main\nmain:\n"), used)) int odd = 3;
__device__ __attribute__((section("llvm.metadata"), used)) int vanishes = 3;
__global__ void k(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = i * i + 0 * vanishes;
}
