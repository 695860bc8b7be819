// kernel: fill   grid: 2   block: 64
// args: locks int32[8] zeros, sums int32[8] zeros, counts int32[8] zeros
// expect: nothing
// check: sums == [sum(t for t in range(64) if t % 8 == b) * 2 for b in range(8)]
// check: counts == [16] * 8
__global__ void fill(int* locks, int* sums, int* counts)
{
    int b = threadIdx.x % 8;
    bool done = false;
    while (!done) {
        if (atomicCAS(locks + b, 0, 1) == 0) {
            __threadfence();
            sums[b] += threadIdx.x;
            counts[b]++;
            __threadfence();
            atomicExch(locks + b, 0);
            done = true;
        }
    }
}
