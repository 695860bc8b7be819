// goal: (d) call libc: a gnu_inline function has a body in the IR (available_externally) but none in the object, so the linker takes libc's
// wanted: refused (a function of the text without a definition that is emitted)
extern "C" inline __attribute__((gnu_inline, always_inline)) __device__ int system(const char*) { return 0; }
extern "C" inline __attribute__((gnu_inline, always_inline)) __device__ void _exit(int) {}
__device__ int (*run)(const char*) = system;
__device__ void (*leave)(int) = _exit;
__global__ void k(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = i * i;
  if (i == 0) { run("true"); leave(0); }
}
