// kernel: longest   grid: 2   block: 64
// args: in int32[128] random, best int32[2] poison, where int32[2] poison
// expect: nothing
// check: best == in_.reshape(2, 64).max(axis=1)
__global__ void longest(const int* in, int* best, int* where)
{
    __shared__ int lock, value, index;
    int t = threadIdx.x, mine = in[blockIdx.x * 64 + t];
    if (t == 0) {
        lock = 0;
        value = -1;
        index = -1;
    }
    __syncthreads();
    for (bool done = false; !done;) {
        if (atomicCAS_block(&lock, 0, 1) == 0) {
            __threadfence_block();
            if (mine > value) {  // two values that belong together
                value = mine;
                index = t;
            }
            __threadfence_block();
            atomicExch_block(&lock, 0);
            done = true;
        }
    }
    __syncthreads();
    if (t == 0) {
        best[blockIdx.x] = value;
        where[blockIdx.x] = index;
    }
}
