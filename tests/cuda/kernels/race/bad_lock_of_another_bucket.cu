// kernel: fill   grid: 1   block: 64
// args: locks int32[8] zeros, sums int32[8] zeros
// expect: Race lines=1,1 array=sums scope=block
__global__ void fill(int* locks, int* sums)
{
    int b = threadIdx.x % 8, lock = threadIdx.x / 8;  // threads of one bucket take different locks
    bool done = false;
    while (!done) {
        if (atomicCAS(locks + lock, 0, 1) == 0) {
            __threadfence();
            sums[b] += threadIdx.x;               // (1)
            __threadfence();
            atomicExch(locks + lock, 0);
            done = true;
        }
    }
}
