// goal: (g) confuse what the kernel is: overloads, a template, a namespace, a static one, an asm label, kernels without __global__
// wanted: refused (more than one kernel that could be meant), or harmless (k(int*, int) of the global scope is judged)
__global__ void k(int* out, int n) asm("main");
namespace a { static __global__ void k(int* out, int n) { out[n] = 1; } }
namespace { __global__ void k(long* out, int n) { out[n] = 1; } }
template <class T> __global__ void k(T* out, int n) { out[n] = 1; }
template __global__ void k<int>(int*, int);
__attribute__((device_kernel)) void k(int* out, long n) { out[n] = 1; }
[[clang::internal_linkage]] __global__ void k(int* out, unsigned n) { out[n] = 1; }
extern "C" __global__ void _Z1kPii(int* out, int n) { out[n] = 1; }
__global__ void k(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = i * i;
}
