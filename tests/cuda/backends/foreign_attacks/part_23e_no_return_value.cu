// goal: (c, d) a function that runs off its end (clang makes it unreachable)
// wanted: harmless (a finding or a clear stop, no crash that blames the grader)
__device__ int f(int i) { if (i < 5) return 0; }
__global__ void k(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int z = f(i);
  if (i < n) out[i] = i * i + z;
}
