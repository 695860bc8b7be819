// goal: (a) carry __BASE_FILE__ out in the result
// wanted: refused (or harmless: a fixed text)
__device__ const char* s = __BASE_FILE__;
__global__ void k(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = s[i % 5];
}
