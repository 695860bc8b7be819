// goal: (c) an atomic of the scope 'single thread' hides a race
// wanted: harmless (the race is reported), or refused
__global__ void k(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  __scoped_atomic_store_n(out, i, __ATOMIC_RELAXED, __MEMORY_SCOPE_SINGLE);
  __scoped_atomic_fetch_add(out + n, 1, __ATOMIC_RELAXED, __MEMORY_SCOPE_SINGLE);
  if (i < n) out[i] = i * i;
}
