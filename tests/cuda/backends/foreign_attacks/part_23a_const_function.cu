// goal: (c) a racing store inside a function said to be const
// wanted: harmless (the out-of-bounds access or race is reported all the same)
__attribute__((const)) __device__ int tap(int* p) { *p = threadIdx.x; return 0; }
__global__ void k(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int z = tap(out);
  __syncthreads();
  if (i < n) out[i] = i * i + z;
}
