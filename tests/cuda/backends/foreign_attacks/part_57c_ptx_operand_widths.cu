// goal: (d, c) operands whose C++ type is not the instruction's: 8, 32, 64 and 128 bits, structs, floats in integer registers
// wanted: refused (a mismatch of constraint and type), or harmless (no byte outside the operand is written)
struct One { int a; };
__global__ void k(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int r = i * i;
  unsigned char c = 7;
  One o = {r};
  asm volatile("mov.b32 %0, %1;" : "=r"(o) : "r"(1.0f));
  r = i * i;
  if (i < n) out[i] = r;
}
