// kernel: keep   grid: 1   block: 32
// args: n int32 32
// expect: OutOfBounds lines=1 array=kept index=31 space=device action=write
__device__ int kept[31];
__device__ void store(int* to, int i, int v)
{
    to[i] = v;                                    // (1)
}
__global__ void keep(int n)
{
    if (threadIdx.x < n) store(kept, threadIdx.x, 1);
}
