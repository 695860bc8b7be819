// kernel: count   grid: 1   block: 64
// args: total uint64[1] zeros
// expect: Race lines=1,2 array=total scope=block atomic=True atomic_bytes=4,8 count=1
__global__ void count(unsigned long long* total)
{
    if (threadIdx.x < 32) atomicAdd((unsigned*)total, 1u);  // (1)
    else atomicAdd(total, 1ull);                            // (2)
}
