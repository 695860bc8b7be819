// kernel: add_under_lock   grid: 2   block: 64
// args: lock int32[1] zeros, total int32[1] zeros
// expect: nothing
// check: total == [2 * 63 * 32]
__global__ void add_under_lock(int* lock, int* total)
{
    bool done = false;
    while (!done) {
        if (atomicCAS(lock, 0, 1) == 0) {
            __threadfence();  // what the last holder wrote is seen from here
            *total += threadIdx.x;
            __threadfence();  // and what this one writes, by the next
            atomicExch(lock, 0);
            done = true;
        }
    }
}
