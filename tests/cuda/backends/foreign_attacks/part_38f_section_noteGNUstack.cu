// goal: (e) a variable in the section .note.GNU-stack
// wanted: refused
__device__ void early() {}
__device__ __attribute__((section(".note.GNU-stack"), used)) void (*first)() = early;
__global__ void k(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = i * i + 0 * (first == nullptr);
}
