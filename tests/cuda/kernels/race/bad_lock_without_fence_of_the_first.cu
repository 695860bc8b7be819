// kernel: add_under_lock   grid: 2   block: 1
// args: lock int32[1] zeros, total int32[1] zeros
// expect: Race lines=1,1 array=total hazard=write-after-write scope=grid
// expect: Race lines=1,1 array=total hazard=write-after-read scope=grid
__global__ void add_under_lock(int* lock, int* total)
{
    while (atomicCAS(lock, 0, 1) != 0) {}
    if (blockIdx.x > 0) __threadfence();  // Block 0 needs it, too, unless it happens to come first.
    *total += 1;                          // (1)
    __threadfence();
    atomicExch(lock, 0);
}
