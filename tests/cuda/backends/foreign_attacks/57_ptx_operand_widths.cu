// goal: (d, c) operands whose C++ type is not the instruction's: 8, 32, 64 and 128 bits, structs, floats in integer registers
// wanted: refused (a mismatch of constraint and type), or harmless (no byte outside the operand is written)
struct One { int a; };
__global__ void k(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int r = i * i;
  unsigned char c = 7;
  One o = {r};
  asm volatile("mov.u64 %0, %1;" : "=l"(r) : "l"(c));
  asm volatile("mov.b32 %0, %1;" : "=r"(c) : "r"(c));
  asm volatile("mov.b32 %0, %1;" : "=r"(o) : "r"(1.0f));
  asm volatile("mov.b128 %0, %1;" : "=q"(*(__int128*)(out + n)) : "q"((__int128)3));
  asm volatile("ld.global.v4.u32 {%0, %1, %2, %3}, [%4];" : "=r"(out[n]), "=r"(c), "=h"(out[n + 1]), "=r"(o.a) : "l"(out + n));
  r = i * i;
  if (i < n) out[i] = r;
}
