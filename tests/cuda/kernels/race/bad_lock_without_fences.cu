// kernel: add_under_lock   grid: 1   block: 32
// args: lock int32[1] zeros, total int32[1] zeros
// expect: Race lines=1,1 array=total hazard=write-after-write
// expect: Race lines=1,1 array=total hazard=write-after-read
__global__ void add_under_lock(int* lock, int* total)
{
    bool done = false;
    while (!done) {
        if (atomicCAS(lock, 0, 1) == 0) {
            // The lock excludes, but no fence carries the total from one holder to the next.
            *total += threadIdx.x;                // (1)
            atomicExch(lock, 0);
            done = true;
        }
    }
}
