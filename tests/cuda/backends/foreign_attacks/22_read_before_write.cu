// goal: (c) uninitialised reads unseen: ThreadSanitizer drops the read of a read-modify-write in one block
// wanted: harmless (the uninitialised read of s[t] and of out[i] is reported)
__global__ void k(int* out, int n) {
  __shared__ int s[1024];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  s[t] += 0;
  s[t] *= 0;
  if (i < n) {
    out[i] &= 0;
    out[i] += i * i + s[t];
  }
}
