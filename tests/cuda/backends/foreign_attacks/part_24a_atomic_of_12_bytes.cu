// goal: (c, d) a call of libatomic
// wanted: refused
struct Three { int a, b, c; };
__global__ void k(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  Three t;
  __atomic_load((Three*)(out + n), &t, __ATOMIC_RELAXED);
  if (i < n) out[i] = i * i + 0 * t.a;
}
