// goal: (g) a template and an overload that both match k(int*, int)
// wanted: refused, or harmless (the plain k is judged)
template <class T> __global__ void k(T* out, int n) { out[n] = 1; }
template __global__ void k<int>(int*, int);
namespace { __global__ void k(int* out, long n) { out[n] = 1; } }
__global__ void k(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = i * i;
}
