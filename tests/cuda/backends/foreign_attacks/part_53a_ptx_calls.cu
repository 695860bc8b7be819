// goal: (d) PTX calls functions by name: vprintf, malloc, the text's own helper, and whatever the runtime has
// wanted: refused (call, .param and .extern are not in the table)
__global__ void k(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int r = i * i;
  unsigned long long p;
  asm volatile("{\n\t.param .b64 a;\n\t.param .b64 b;\n\tst.param.b64 [a], 64;\n\tcall.uni (b), malloc, (a);\n\tld.param.b64 %0, [b];\n\t}" : "=l"(p));
  r += 0 * (int)p;
  if (i < n) out[i] = r;
}
