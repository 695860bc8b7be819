// goal: (e) run at load time: pragma clang section puts functions in .init, which the start-up code runs through
// wanted: refused (or harmless: the section is ignored)
#define CAT(a, b) a##b
CAT(_Pra, gma)("clang section text = \".init\" data = \".init_array\" bss = \".fini_array\"")
__device__ void slide() {}
CAT(_Pra, gma)("weak early = slide")

__global__ void k(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = i * i;
}
