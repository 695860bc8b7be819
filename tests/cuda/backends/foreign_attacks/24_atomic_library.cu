// goal: (c, d) atomics that become calls of libatomic: a 12-byte __atomic_load, a 16-byte one, and generic exchange
// wanted: refused (a call of an unknown function, or an atomic of a size CUDA does not have)
struct Three { int a, b, c; };
__global__ void k(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  Three t, u = {1, 2, 3};
  __atomic_load((Three*)(out + n), &t, __ATOMIC_RELAXED);
  __atomic_exchange((Three*)out, &u, &t, __ATOMIC_RELAXED);
  __int128 w = __atomic_load_n((__int128*)out, __ATOMIC_RELAXED);
  w /= n;
  __scoped_atomic_store_n(out, 0, __ATOMIC_RELAXED, __MEMORY_SCOPE_SINGLE);
  if (i < n) out[i] = i * i + 0 * t.a + 0 * (int)w;
}
