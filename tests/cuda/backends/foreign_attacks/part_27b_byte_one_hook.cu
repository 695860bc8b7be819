// goal: (d) define a hook by a name with a leading byte 1
// wanted: refused
extern "C" __device__ __attribute__((used)) void mine(void*) asm("\01__ts" "an_write4");
extern "C" __device__ void mine(void*) {}
__global__ void k(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[0] = i;
  if (i < n) out[i] = i * i;
}
