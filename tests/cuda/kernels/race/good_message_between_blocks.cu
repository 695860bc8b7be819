// kernel: hand_over   grid: 2   block: 32
// args: flag int32[1] zeros, data int32[2] zeros, out int32[2] poison
// expect: nothing
// check: out == [42, 43]
__global__ void hand_over(int* flag, int* data, int* out)
{
    if (threadIdx.x > 0) return;
    if (blockIdx.x == 0) {
        data[0] = 42;
        data[1] = 43;
        __threadfence();  // the data come before the flag
        atomicExch(flag, 1);
    } else {
        while (atomicAdd(flag, 0) == 0) {}
        __threadfence();  // and are read after it
        out[0] = data[0];
        out[1] = data[1];
    }
}
