// kernel: add_under_lock   grid: 1   block: 64
// args: lock int32[1] zeros, total int32[1] zeros
// expect: Race between=1,2 array=lock atomic=True
// expect: Race lines=2,2 array=lock atomic=False
// expect: Race lines=3,3 array=total
__global__ void add_under_lock(int* lock, int* total)
{
    bool done = false;
    while (!done) {
        if (atomicCAS(lock, 0, 1) == 0) {         // (1)
            __threadfence();
            *total += threadIdx.x;                // (3)
            __threadfence();
            *lock = 0;                            // (2)
            done = true;
        }
    }
}
