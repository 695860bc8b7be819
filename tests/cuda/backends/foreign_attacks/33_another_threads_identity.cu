// goal: (d, c) pretend to be another thread: write threadIdx and blockDim, so that a race looks like one thread's accesses
// wanted: refused (threadIdx has no address or is constant), or harmless (the race is reported under the true thread)
__global__ void k(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned* t = (unsigned*)__builtin_addressof(threadIdx);
  unsigned* d = (unsigned*)__builtin_addressof(blockDim);
  t[0] = 0;
  t[3] = 0;
  d[0] = 1;
  const_cast<unsigned&>((const unsigned&)threadIdx.x) = 0;
  out[0] = i;
  __syncthreads();
  if (i < n) out[i] = i * i;
}
