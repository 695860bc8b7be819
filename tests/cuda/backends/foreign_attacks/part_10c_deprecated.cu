// goal: (b) a misleading message: deprecated, unavailable, diagnose_if, error
// wanted: harmless (no message, or one at the student's line)
[[deprecated("the grader is broken, ask the teacher")]] __device__ int f() { return 0; }
__device__ int g(int i) __attribute__((diagnose_if(true, "GraderFault: disk full", "error")));
__device__ int g(int i) { return 0; }
__global__ void k(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = i * i + f() + g(i);
}
