// goal: (c, d) a 128-bit atomic load: a call of libatomic only after the code generator
// wanted: refused, or harmless (reported, no unknown call)
__global__ void k(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  __int128 w = __atomic_load_n((__int128*)(out + n), __ATOMIC_RELAXED);
  if (i < n) out[i] = i * i + 0 * (int)w;
}
