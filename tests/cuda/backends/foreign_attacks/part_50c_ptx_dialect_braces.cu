// goal: (f) one string, two meanings: {add|sub} is a choice on x86 and a block in PTX; '%=' and '${:uid}' likewise
// wanted: refused (braces and bars in an instruction)
__global__ void k(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int r = i * i;
  asm volatile("mov{.u32 %0, %1;|.b32 %0, 7;} ${:uid} %= %c1 %n1 %%{ %%|" : "=r"(r) : "r"(r));
  if (i < n) out[i] = r;
}
