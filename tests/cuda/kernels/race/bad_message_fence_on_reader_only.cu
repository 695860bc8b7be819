// kernel: hand_over   grid: 2   block: 32
// args: flag int32[1] zeros, data int32[1] zeros, out int32[1] poison
// expect: Race lines=1,2 array=data hazard=read-after-write scope=grid
__global__ void hand_over(int* flag, int* data, int* out)
{
    if (threadIdx.x > 0) return;
    if (blockIdx.x == 0) {
        *data = 42;                               // (1)
        // Missing: a fence. The flag may be seen before the data.
        atomicExch(flag, 1);
    } else {
        while (atomicAdd(flag, 0) == 0) {}
        __threadfence();
        *out = *data;                             // (2)
    }
}
