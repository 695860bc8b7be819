// goal: (c, d) a noreturn function that returns: the code runs on into the next function
// wanted: refused, or harmless (a finding, no crash)
__attribute__((noreturn)) __device__ void last(int* p) { *p = 5; }
__device__ int after(int* p) { p[-1] = 3; return 1; }
__global__ void k(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i == 3) last(out + i);
  if (n < 0) after(out);
  if (i < n) out[i] = i * i;
}
