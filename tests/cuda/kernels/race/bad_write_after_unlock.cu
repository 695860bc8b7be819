// kernel: late_write   grid: 1   block: 64
// args: flag int32[1] zeros, data int32[2] zeros, out int32[1] poison
// expect: Race lines=1,2 array=data hazard=read-after-write index=1
__global__ void late_write(int* flag, int* data, int* out)
{
    if (threadIdx.x == 0) {
        data[0] = 5;
        __threadfence();
        atomicExch(flag, 1);
        data[1] = 6;                              // (1)
    } else if (threadIdx.x == 32) {
        while (atomicAdd(flag, 0) == 0) {}
        __threadfence();
        out[0] = data[0] + data[1];               // (2)
    }
}
