// kernel: hand_over   grid: 1   block: 64
// args: flag int32[1] zeros, data int32[1] zeros, out int32[1] poison
// expect: Race lines=1,2 array=data hazard=read-after-write
// expect: Race between=3,4 array=flag atomic=False
__global__ void hand_over(volatile int* flag, int* data, int* out)
{
    if (threadIdx.x == 0) {
        *data = 42;                               // (1)
        __threadfence();
        *flag = 1;                                // (3)
    } else if (threadIdx.x == 32) {
        while (*flag == 0) {}                     // (4)
        __threadfence();
        *out = *data;                             // (2)
    }
}
