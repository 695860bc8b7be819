// goal: (b) gigabytes of memory and of IR from one line: a GNU range designator (4 million elements are 29 MB of IR)
// wanted: refused (too large), without filling memory or disk
__device__ int table[1u << 30] = {[0 ... (1u << 30) - 2] = 7, 1};
__global__ void k(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = i * i + 0 * table[i];
}
