// goal: (c) accesses of widths that ThreadSanitizer ignores: 256-bit vectors and a 24-bit field
// wanted: refused, or harmless (out-of-bounds of v[i + n] and the race on b->low are reported)
typedef int int8 __attribute__((ext_vector_type(8)));
struct __attribute__((packed)) Low { unsigned low : 24; };
__global__ void k(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int8* v = (int8*)out;
  int8 far = v[i + n];
  Low* b = (Low*)out;
  b->low = i;
  __syncthreads();
  if (i < n) out[i] = i * i + 0 * far.s7;
}
