// kernel: wait   grid: 1   block: 64
// args: flag int32[1] zeros, work int32[64] zeros, out int32[1] poison
// expect: nothing
// check: out == [30000]
__global__ void wait(int* flag, int* work, int* out)
{
    if (threadIdx.x == 0) {
        while (atomicAdd(flag, 0) == 0) {}
        __threadfence();
        *out = work[63];
    } else if (threadIdx.x == 63) {
        for (int i = 0; i < 30000; i++) work[63]++;
        __threadfence();
        atomicExch(flag, 1);
    }
}
