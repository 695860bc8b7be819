// goal: (a) learn whether a file exists: a header-unit import is 'not found' or 'not a header unit'
// wanted: refused (the two messages differ, so the message itself is the leak)
import </etc/shadow>;
export import </etc/no-such-file>;

__global__ void k(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = i * i;
}
