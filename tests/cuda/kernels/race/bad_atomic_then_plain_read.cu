// kernel: count_all   grid: 1   block: 64
// args: total int32[1] zeros, out int32[64] poison
// expect: Race lines=1,2 array=total hazard=read-after-write atomic=True
__global__ void count_all(int* total, int* out)
{
    atomicAdd(total, 1);                          // (1)
    out[threadIdx.x] = total[0];                  // (2)
}
