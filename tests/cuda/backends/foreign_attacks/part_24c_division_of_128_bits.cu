// goal: (d) a call of the compiler's own library (__divti3, fmod, fmin) that appears after the verifier
// wanted: harmless (right result), or refused
__global__ void k(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  __int128 w = i;
  w = (w * i) / (n + 1) % n;
  double d = __builtin_fmod((double)w, 3.0) + __builtin_powi(1.0, i) - 1;
  if (i < n) out[i] = i * i + 0 * (int)w + 0 * (int)d;
}
