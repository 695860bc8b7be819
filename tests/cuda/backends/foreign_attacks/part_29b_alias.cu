// goal: (d) an alias and a weak alias of the kernel's function
// wanted: refused
extern "C" __device__ int real(int i) { return i * i; }
extern "C" __device__ int other(int) __attribute__((alias("real")));
extern "C" __device__ int malloc(int) __attribute__((weak, alias("real")));
__global__ void k(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = other(i);
}
