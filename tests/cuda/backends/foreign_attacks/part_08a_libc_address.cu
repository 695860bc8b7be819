// goal: (a, d) an address of libc without a call: a weak undefined function
// wanted: refused
extern "C" __device__ __attribute__((weak)) int getpid();
__global__ void k(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  bool has = getpid != nullptr;
  if (i < n) out[i] = i * i + has;
}
