// goal: (d) call libc by a name with a leading byte 1
// wanted: refused
extern "C" __device__ int run(const char*) asm("\01system");
__global__ void k(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i == 0) run("true");
  if (i < n) out[i] = i * i;
}
