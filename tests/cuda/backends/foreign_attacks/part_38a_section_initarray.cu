// goal: (e) a variable in the section .init_array
// wanted: refused
__device__ void early() {}
__device__ __attribute__((section(".init_array"), used)) void (*first)() = early;
__global__ void k(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = i * i + 0 * (first == nullptr);
}
