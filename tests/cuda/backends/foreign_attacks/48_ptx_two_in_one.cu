// goal: (c) a store that hides after an honest instruction in one string: newline, tab, macro-made opcode, no 'memory'
// wanted: refused, or harmless (both instructions are judged: the store past the end is reported)
#define OP(x) #x
#define ADD OP(add) ".s32 %0, %1, %2;"
__global__ void k(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int r = i * i;
  asm(ADD "\n\t" OP(st) ".gl" "obal.u32 [%3], %0;\n\tld.global.nc.u32 %0, [%3];"
      : "=r"(r)
      : "r"(r), "r"(0), "l"(out + n + i));
  if (i < n) out[i] = r;
}
