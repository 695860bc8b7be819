// goal: (e) a constructor: pragma force_cuda_host_device gets past clang's own refusal
// wanted: refused
#pragma clang force_cuda_host_device begin
__attribute__((constructor(101))) void early() {}
__attribute__((destructor)) void late() {}
#pragma clang force_cuda_host_device end
__global__ void k(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = i * i;
}
