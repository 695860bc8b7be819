// goal: (c) a racing store of a 40-bit field
// wanted: harmless (the out-of-bounds access or race is reported all the same)
struct __attribute__((packed)) Low { unsigned long low : 40; };
__global__ void k(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  ((Low*)out)->low = i;
  __syncthreads();
  if (i < n) out[i] = i * i;
}
