// kernel: third   grid: 8   block: 32
// args: x float32[1] random, done int32[1] zeros, out float32[8] poison
// expect: Race lines=1,2 array=x scope=grid
__global__ void third(float* x, int* done, float* out)
{
    if (threadIdx.x) return;
    out[blockIdx.x] = *(volatile float*)x;        // (1)
    if (blockIdx.x == 3) return;  // and says nothing
    __threadfence();
    if (atomicAdd(done, 1) == 6) {
        __threadfence();
        *(volatile float*)x = 0;                  // (2)
    }
}
