// goal: (b) a macro that makes one literal of 2.5 GB
// wanted: refused (a limit of time, memory or size, in one sentence)
#define T(x) x x x x x x x x x x
__device__ const char* s = T(T(T(T(T(T(T(T("0123456789012345678901234"))))))));
__global__ void k(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = i * i + 0 * s[i];
}
