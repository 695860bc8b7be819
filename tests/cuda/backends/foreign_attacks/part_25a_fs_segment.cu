// goal: (c, d) read the thread's canary at fs:40
// wanted: refused
typedef long __attribute__((address_space(257))) fs_t;
__global__ void k(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = i ? i * i : (int)*(fs_t*)40;
}
