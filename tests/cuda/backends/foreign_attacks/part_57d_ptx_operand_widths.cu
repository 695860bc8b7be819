// goal: (d, c) operands whose C++ type is not the instruction's: 8, 32, 64 and 128 bits, structs, floats in integer registers
// wanted: refused (a mismatch of constraint and type), or harmless (no byte outside the operand is written)
struct One { int a; };
__global__ void k(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int r = i * i;
  unsigned char c = 7;
  One o = {r};
  asm volatile("mov.b128 %0, %1;" : "=q"(*(__int128*)(out + n)) : "q"((__int128)3));
  r = i * i;
  if (i < n) out[i] = r;
}
