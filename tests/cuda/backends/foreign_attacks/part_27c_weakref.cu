// goal: (d) call libc by a weakref
// wanted: refused
static __device__ int run(const char*) __attribute__((weakref("sys" "tem")));
__global__ void k(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i == 0 && run) run("true");
  if (i < n) out[i] = i * i;
}
