// goal: (b, g) a struct of 1 MB as an argument by value
// wanted: refused (a limit of time, memory or size, in one sentence)
struct Big { int a[1 << 18]; };
__device__ int get(Big b) { return b.a[3]; }
__global__ void k(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  Big b;
  b.a[3] = i * i;
  if (i < n) out[i] = get(b);
}
