// goal: (d) call libc or the runtime: LLVM strips a leading byte 1 from a name, so "\01system" is system in the object file
// wanted: refused (a name that is not the text's, however it is spelled)
extern "C" __device__ int run(const char*) asm("\01system");
extern "C" __device__ __attribute__((used)) void mine(void*) asm("\01__ts" "an_read4");
extern "C" __device__ void mine(void*) {}
static __device__ int weak_run(const char*) __attribute__((weakref("sys" "tem")));
__global__ void k(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i == 0) run("true");
  if (i == 1 && weak_run) weak_run("true");
  if (i < n) out[i] = i * i;
}
