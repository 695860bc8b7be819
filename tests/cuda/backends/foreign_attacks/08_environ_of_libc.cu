// goal: (a) read the environment: an undefined extern variable that the linker finds in libc
// wanted: refused (a variable that the text does not define)
extern "C" __device__ char** environ;
extern "C" __device__ char __ehdr_start[];
__global__ void k(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = environ[0][i % 4] + __ehdr_start[0];
}
