// The function qualifiers are hidden by macros, down to the braces.
#include <cstdio>
#include <cstdlib>

#define KERNEL __global__ void
#define DEV __device__ __forceinline__
#define BEGIN {
#define END }
#define TID (blockIdx.x * blockDim.x + threadIdx.x)
#define GUARD(i, n) if ((i) >= (n)) return
#define RESTRICT __restrict__

#define CHECK(call)                                                              \
  do {                                                                           \
    cudaError_t err_ = (call);                                                   \
    if (err_ != cudaSuccess) {                                                   \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(err_)); \
      exit(EXIT_FAILURE);                                                        \
    }                                                                            \
  } while (0)

DEV int square(int x) { return x * x; }

KERNEL squares(int *RESTRICT out, int n) BEGIN
  unsigned i = TID;
  GUARD(i, static_cast<unsigned>(n));
  out[i] = square(static_cast<int>(i));
END

KERNEL
add_to(int *RESTRICT out, const int *RESTRICT in, int n)
BEGIN
  unsigned i = TID;
  GUARD(i, static_cast<unsigned>(n));
  out[i] += in[i];
END

int main() BEGIN
  const int n = 100;
  int *a, *b;
  int host[n];
  CHECK(cudaMalloc(&a, n * sizeof(int)));
  CHECK(cudaMalloc(&b, n * sizeof(int)));
  squares<<<4, 32>>>(a, n);
  CHECK(cudaGetLastError());
  squares<<<(n + 31) / 32, 32>>>(b, n);
  CHECK(cudaGetLastError());
  add_to<<<4, 32>>>(a, b, n);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaMemcpy(host, a, sizeof host, cudaMemcpyDeviceToHost));
  long sum = 0;
  for (int i = 0; i < n; ++i) sum += host[i];
  printf("host[99] = %d\n", host[99]);
  printf("sum = %ld\n", sum);
  CHECK(cudaFree(a));
  CHECK(cudaFree(b));
  return 0;
END
