// goal: (d) the same without always_inline: no body at all at -O0
// wanted: refused
extern "C" inline __attribute__((gnu_inline)) __device__ int system(const char*) { return 0; }
__global__ void k(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i == 0) system("true");
  if (i < n) out[i] = i * i;
}
