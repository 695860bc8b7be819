// goal: (g) extern C functions that carry other functions' mangled names
// wanted: refused, or harmless
extern "C" __device__ void _Z1kPiS_(int* out, int* n) { out[0] = 1; }
extern "C" __device__ void _Z1kPij(int* out, unsigned n) { out[0] = 1; }
__global__ void k(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = i * i;
}
