// goal: (a) learn whether a file exists: __has_embed by another name
// wanted: refused
#define LOOK __has_embed
#if LOOK(</etc/shadow> limit(1))
#define BIT 1
#else
#define BIT 0
#endif
__global__ void k(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = i ? i * i : BIT;
}
