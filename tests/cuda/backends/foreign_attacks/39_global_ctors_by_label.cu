// goal: (e, b) a variable that is called llvm.global_ctors: code at load time, or 'Broken module found, compilation aborted' (exit 70)
// wanted: refused (a reserved name made of two literals; clang's abort is not the grader's fault)
struct Entry { int priority; void (*f)(); void* data; };
extern "C" __device__ void early() {}
extern "C" __device__ Entry list[1] asm("ll" "vm.global_ctors");
extern "C" __device__ Entry list[1] = {{65535, early, nullptr}};
extern "C" __device__ void wrong(int) asm("ll" "vm.memcpy.p0.p0.i64");
__global__ void k(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = i * i + 0 * list[0].priority;
  if (i < 0) wrong(3);
}
