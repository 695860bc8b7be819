// kernel: last   grid: 8   block: 32
// args: x float32[1] random, done int32[1] zeros, out float32[8] poison
// expect: nothing
__global__ void last(float* x, int* done, float* out)
{
    if (threadIdx.x) return;
    out[blockIdx.x] = *(volatile float*)x;
    __threadfence();
    if (atomicAdd(done, 1) == 7) {
        __threadfence();
        *(volatile float*)x = 0;
    }
}
