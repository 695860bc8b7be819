// kernel: hand_over   grid: 2   block: 32
// args: flag int32[1] zeros, data int32[1] zeros, out int32[1] poison
// expect: nothing
// check: out == [42]
__global__ void hand_over(int* flag, int* data, int* out)
{
    if (threadIdx.x > 0) return;
    if (blockIdx.x == 1) {  // two blocks fit on any GPU at once, so block 0 waits for one that runs
        *data = 42;
        __threadfence();
        atomicExch(flag, 1);
    } else {
        while (atomicAdd(flag, 0) == 0) {}
        __threadfence();
        *out = *data;
    }
}
