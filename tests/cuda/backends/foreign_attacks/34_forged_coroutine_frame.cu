// goal: (d) an indirect call without a function pointer: resume a coroutine whose frame is data of the text
// wanted: refused (coroutines)
struct Frame { void* resume; void* destroy; };
__device__ void landed() {}
__device__ Frame frame = {(void*)landed, (void*)0x400000};
__global__ void k(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = i * i;
  if (i == 0) __builtin_coro_resume(&frame);
  if (i == 1) __builtin_coro_destroy(out);
}
