// goal: (b) hang the x86 code generator by one vector
// wanted: refused (a limit of time, memory or size, in one sentence)
typedef int V __attribute__((vector_size(1 << 17)));
__global__ void k(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  V* p = (V*)out;
  if (n < 0) *p = *p * *p + *p;
  if (i < n) out[i] = i * i;
}
