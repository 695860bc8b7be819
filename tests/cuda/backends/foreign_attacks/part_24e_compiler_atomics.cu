// goal: (c, f) C11, __sync and hip-like atomics that CUDA doesn't have
// wanted: refused, or harmless (judged as atomics, with bounds)
__global__ void k(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  __sync_fetch_and_nand(out + n, 1);
  __atomic_fetch_max(out + n, 1, __ATOMIC_SEQ_CST);
  __c11_atomic_store((_Atomic int*)out, 0, __ATOMIC_RELEASE);
  if (i < n) out[i] = i * i;
}
