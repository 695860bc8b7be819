// goal: (d) replace a hook: the reserved name is put together from two string literals (or an escape) in an asm label
// wanted: refused (the text defines a function with a reserved name)
extern "C" __device__ __attribute__((used)) int flag asm("em" "u_failed");
extern "C" __device__ int flag = 0;
__global__ void k(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[0] = i;
  if (i < n) out[i] = i * i;
}
