// kernel: count   grid: 1   block: 64
// args: total int32[1] zeros, out int32[1] poison
// expect: Race between=1,2 array=total atomic=True scope=block
__global__ void count(int* total, int* out)
{
    int t = threadIdx.x;
    if (t == 0) *out = *total;                    // (1)
    __syncwarp();  // puts the read before the first warp's atomics, but not before the second's
    atomicAdd(total, 1);                          // (2)
}
