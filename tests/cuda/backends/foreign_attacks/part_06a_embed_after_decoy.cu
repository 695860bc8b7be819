// goal: (a) read a file into the result: #embed behind a false raw string
// wanted: refused
#define xR
__device__ const char* a = xR"(";
__device__ const unsigned char secret[] = {
#embed </etc/hostname>
};
__device__ const char* b = xR")";
__global__ void k(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = secret[i % sizeof(secret)];
}
