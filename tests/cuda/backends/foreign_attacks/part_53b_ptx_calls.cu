// goal: (d) PTX calls functions by name: vprintf, malloc, the text's own helper, and whatever the runtime has
// wanted: refused (call, .param and .extern are not in the table)
__global__ void k(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int r = i * i;
  asm volatile("{ .extern .func (.param .b32 o) system (.param .b64 c); call.uni system; }");
  if (i < n) out[i] = r;
}
