// finds: nothing
// launch: grid=1, block=64, args=[zeros('int64', 1), 4]

// Cycles of `rounds` rounds in which one half of a block hands over to the other
// and back, by the block's barriers 1 and 2.
__global__ void costs_named(long long* cycles, int rounds)
{
    bool first = threadIdx.x < blockDim.x / 2;
    int all = blockDim.x;
    long long begin = clock64();
    for (int k = 0; k < rounds; ++k) {
        if (first) {
            asm volatile("bar.arrive 1, %0;" :: "r"(all) : "memory");
            asm volatile("bar.sync 2, %0;" :: "r"(all) : "memory");
        } else {
            asm volatile("bar.sync 1, %0;" :: "r"(all) : "memory");
            asm volatile("bar.arrive 2, %0;" :: "r"(all) : "memory");
        }
    }
    if (threadIdx.x == 0)
        *cycles = clock64() - begin;
}
