// goal: (a) learn whether a file exists: the pragma spelled plainly
// wanted: refused
#pragma GCC dependency </etc/no-such-file>
__global__ void k(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = i * i;
}
