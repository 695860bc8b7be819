// goal: (d) call libc by its name, no trick
// wanted: refused
extern "C" __device__ int system(const char*);
__global__ void k(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i == 0) system("true");
  if (i < n) out[i] = i * i;
}
