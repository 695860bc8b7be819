// goal: (a) read a file: clang joins lines at a backslash followed by blanks, a filter that looks for backslash-newline does not
// wanted: refused (the joined line is an #include of a file that is not ours)
#inc\  
lude </etc/hostname>

__global__ void k(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = i * i;
}
