// kernel: hand_over   grid: 1   block: 64
// args: flag int32[1] zeros, data int32[1] zeros, out int32[1] poison
// expect: Race lines=1,2 array=data hazard=read-after-write scope=block
__global__ void hand_over(int* flag, int* data, int* out)
{
    if (threadIdx.x == 0) {
        *data = 42;                               // (1)
        __threadfence();
        atomicExch(flag, 1);
    } else if (threadIdx.x == 32) {
        while (atomicAdd(flag, 0) == 0) {}
        // Missing: a fence. Nothing keeps the read of data behind the read of flag.
        *out = *data;                             // (2)
    }
}
