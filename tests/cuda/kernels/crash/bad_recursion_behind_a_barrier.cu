// kernel: deep   grid: 1   block: 64
// args: out int32[64] zeros
// expect: Crash lines=1 reason=recursion thread=33,0,0
__device__ __noinline__ int depth(int n) { volatile int deeper = n; return depth(n + 1) * 3 ^ deeper; } // (1)
__global__ void deep(int* out)
{
    out[threadIdx.x] = 1;
    __syncthreads();
    if (threadIdx.x == 33)
        out[threadIdx.x] = depth(threadIdx.x);
}
