// goal: (c) a racing 24-bit store
// wanted: harmless (the out-of-bounds access or race is reported all the same)
struct __attribute__((packed)) Low { unsigned low : 24; };
__global__ void k(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  ((Low*)out)->low = i;
  __syncthreads();
  if (i < n) out[i] = i * i;
}
