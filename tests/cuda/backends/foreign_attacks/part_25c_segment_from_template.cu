// goal: (c, d) an address space from a template argument
// wanted: refused
template <int S> struct In { typedef long __attribute__((address_space(S))) type; };
__global__ void k(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  *(In<256>::type*)8 = 1;
  if (i < n) out[i] = i * i;
}
