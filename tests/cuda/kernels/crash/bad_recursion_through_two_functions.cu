// kernel: deep   grid: 1   block: 1
// args: out int32[1] poison
// expect: Crash reason='stack overflow'
__device__ int odd(int n);
__device__ int even(int n) { return n == 0 ? 1 : odd(n + 1); }
__device__ int odd(int n) { return n == 0 ? 0 : even(n + 1); }
__global__ void deep(int* out)
{
    *out = even(1);
}
