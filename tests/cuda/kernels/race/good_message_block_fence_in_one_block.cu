// kernel: hand_over   grid: 2   block: 64
// args: flag int32[2] zeros, data int32[2] zeros, out int32[2] poison
// expect: nothing
// check: out == [100, 101]
__global__ void hand_over(int* flag, int* data, int* out)
{
    int b = blockIdx.x;
    if (threadIdx.x == 0) {
        data[b] = 100 + b;
        __threadfence_block();
        atomicExch_block(flag + b, 1);
    } else if (threadIdx.x == 32) {
        while (atomicAdd_block(flag + b, 0) == 0) {}
        __threadfence_block();
        out[b] = data[b];
    }
}
