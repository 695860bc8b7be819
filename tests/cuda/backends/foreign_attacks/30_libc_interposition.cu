// goal: (d) have the runtime call the text: functions named as libc's, and main
// wanted: refused, or harmless (the runtime never binds to a symbol of the text)
extern "C" __device__ void* memcpy(void* d, const void*, size_t) { return d; }
extern "C" __device__ void* memset(void* d, int, size_t) { return d; }
extern "C" __device__ long write(int, const void*, size_t n) { return n; }
extern "C" __device__ void abort() {}
extern "C" __device__ void _exit(int) {}
extern "C" __device__ void __stack_chk_fail() {}
extern "C" __device__ void* mmap(void*, size_t, int, int, int, long) { return nullptr; }
extern "C" __device__ int stdout, errno;
extern "C" __device__ void _start() {}
__global__ void k(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[0] = i;
  if (i < n) out[i] = i * i;
}
