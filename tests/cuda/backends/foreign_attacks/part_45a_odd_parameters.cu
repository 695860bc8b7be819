// goal: (g) parameters of the kernel: a struct with a copy constructor, over-aligned, noalias, in an enum's size
// wanted: refused (not the exercise's signature), never a fault
struct alignas(256) P { int* p; __device__ P(const P& o) : p(o.p + 1000) {} };
__global__ void k(P o, _BitInt(17) n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) o.p[i] = i * i;
}
