// goal: (a) read a file: an empty macro before a string looks like a raw-string prefix, so a filter skips live directives
// wanted: refused (clang sees two ordinary strings with an #embed and an #include between)
#define xR
__device__ const char* a = xR"(";
__device__ const unsigned char secret[] = {
#embed </etc/hostname>
};
#include </etc/hostname>
__device__ const char* b = xR")";
__global__ void k(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = secret[i % sizeof(secret)];
}
