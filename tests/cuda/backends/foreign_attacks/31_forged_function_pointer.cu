// goal: (d) call anything: a function pointer from an integer, into the middle of a function, to a label, and to data
// wanted: refused (indirect calls and label addresses), or harmless (the call cannot leave the kernel's functions; it is reported)
__device__ unsigned char code[] = {0x0f, 0x05, 0xc3};
__device__ void helper(int* p) { *p = 1; }
__device__ void (*table[2])(int*) = {helper, helper};
__global__ void k(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = i * i;
  if (n > 0) goto body;
body:
  void* here = &&body;
  if (i == 0) ((void (*)(int*))((unsigned long long)helper + 3))(out);
  if (i == 1) ((void (*)())code)();
  if (i == 2) ((void (*)())here)();
  if (i == 3) ((void (*)(int))0x400000)(60);
  table[1] = (void (*)(int*))(unsigned long long)out;
  if (i == 4) table[i](out);
}
