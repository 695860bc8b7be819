// kernel: add_under_lock   grid: 2   block: 32
// args: lock int32[1] zeros, total int32[1] zeros
// expect: Race lines=1,1 array=total hazard=write-after-read scope=grid
// expect: Race lines=1,1 array=total hazard=write-after-write scope=grid
__global__ void add_under_lock(int* lock, int* total)
{
    bool done = false;
    while (!done) {
        if (atomicCAS(lock, 0, 1) == 0) {
            __threadfence_block();                // orders nothing between blocks
            *total += threadIdx.x;                // (1)
            __threadfence_block();
            atomicExch(lock, 0);
            done = true;
        }
    }
}
