// goal: (d) PTX calls functions by name: vprintf, malloc, the text's own helper, and whatever the runtime has
// wanted: refused (call, .param and .extern are not in the table)
extern "C" __device__ __attribute__((used)) int helper(int x) { return x; }
__global__ void k(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int r = i * i;
  asm volatile("call.uni (%0), helper, (%1);" : "=r"(r) : "r"(r));
  if (i < n) out[i] = r;
}
