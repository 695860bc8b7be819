// goal: (d) call anything: a function pointer from an integer, into the middle of a function, to a label, and to data
// wanted: refused (indirect calls and label addresses), or harmless (the call cannot leave the kernel's functions; it is reported)
__device__ unsigned char code[] = {0x0f, 0x05, 0xc3};
__device__ void helper(int* p) { *p = 1; }
__global__ void k(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = i * i;
  if (n > 0) goto body;
body:
  if (i == 1) ((void (*)())code)();
}
