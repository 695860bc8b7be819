// goal: (a) the time, by clang's builtin
// wanted: refused
__global__ void k(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  long t = __builtin_readcyclecounter() + __builtin_readsteadycounter();
  if (i < n) out[i] = i ? i * i : (int)t;
}
