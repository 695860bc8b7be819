// goal: (c) out-of-bounds reads unseen: ThreadSanitizer leaves out loads from constant globals, whatever the index
// wanted: harmless (the out-of-bounds reads of square and twice are reported)
static __device__ const int square[4] = {0, 1, 4, 9};
__constant__ int twice[4] = {0, 2, 4, 6};
__global__ void k(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  const char* s = "abc";
  if (i < n) out[i] = i * i + 0 * square[i + 1000] + 0 * twice[i + 4] + 0 * s[i + 100];
}
