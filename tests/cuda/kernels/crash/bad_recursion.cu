// kernel: deep   grid: 1   block: 32
// args: out int32[32] poison
// expect: Crash lines=1 reason='stack overflow'
__device__ int depth(int n) { return n < 0 ? 0 : depth(n + 1) + 1; } // (1)
__global__ void deep(int* out)
{
    out[threadIdx.x] = depth(threadIdx.x);
}
