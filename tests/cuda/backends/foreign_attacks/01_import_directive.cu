// goal: (a) read a file: the old #import directive is an include that no list of #include names
// wanted: refused (clang prints the lines of the file in its errors)
#import </etc/passwd>

__global__ void k(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = i * i;
}
