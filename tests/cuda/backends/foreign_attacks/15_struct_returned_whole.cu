// goal: (b) hang the x86 code generator: NVPTX returns any struct as one first-class value, here of 200000 members
// wanted: refused (a value that large), or compiled within the limits
struct Big { int a[200000]; };
__device__ Big make(int i) { Big b; b.a[0] = i * i; return b; }
__global__ void k(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = make(i).a[0];
}
