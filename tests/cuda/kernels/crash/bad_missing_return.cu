// kernel: k   grid: 1   block: 8
// args: out int32[8] zeros
// expect: Crash lines=1 reason='missing return' thread=3,0,0
__device__ int weight(int i)
{
    if (i < 3) return 1; // (1)
}

__global__ void k(int* out)
{
    out[threadIdx.x] = weight(threadIdx.x);
}
