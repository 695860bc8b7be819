// goal: (a) the time
// wanted: refused
extern "C" __device__ unsigned long long tick() asm("\x6clvm.x86.rdtsc");
__global__ void k(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = i * i + 0 * (int)tick();
}
