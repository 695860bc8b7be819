// goal: (d) overwrite the stack: va_start writes 24 bytes on x86 into the 8 bytes that NVPTX's va_list has
// wanted: refused (a variadic definition)
__device__ int sum(int n, ...) {
  __builtin_va_list ap, keep;
  __builtin_va_start(ap, n);
  __builtin_va_copy(keep, ap);
  int s = 0;
  for (int j = 0; j < n; j++) s += __builtin_va_arg(ap, int);
  s += 0 * (int)__builtin_va_arg(keep, long);
  __builtin_va_end(ap);
  return s;
}
__global__ void k(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = sum(2, i * i, 0);
}
