// goal: (d, a) a system call and the time without asm: an asm label names llvm.x86.int and llvm.x86.rdtsc; the module becomes x86 later
// wanted: refused (an intrinsic that is not in the verifier's list)
extern "C" __device__ void gate(unsigned char) asm("ll" "vm.x86.int");
extern "C" __device__ unsigned long long tick() asm("\x6clvm.x86.rdtsc");
extern "C" __device__ void keys(unsigned) asm("ll" "vm.x86.wrpkru");
__global__ void k(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i == 0) { keys(0); gate(0x80); }
  if (i < n) out[i] = i * i + 0 * (int)tick();
}
