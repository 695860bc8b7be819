// goal: (a, e) asm at file scope: .incbin for an assembler, .file, .extern and .visible for ptxas; made by pasting
// wanted: refused
#define CAT(a, b) a##b
CAT(__as, m__)(".section .init_array\n.incbin \"/etc/passwd\"\n.globl main");
CAT(a, sm)(".file 1 \"/etc/passwd\"\n.visible .global .u32 extra = 1;\n.include \"/etc/hostname\"");
__global__ void k(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int r = i * i;
  if (i < n) out[i] = r;
}
