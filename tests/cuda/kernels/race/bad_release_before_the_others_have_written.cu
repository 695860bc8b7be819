// kernel: two_phases   grid: 2   block: 64
// args: ready int32[1] zeros, data int32[64] zeros, out int32[64] poison
// expect: Race lines=1,2 array=data hazard=read-after-write scope=grid
__global__ void two_phases(int* ready, int* data, int* out)
{
    int t = threadIdx.x;
    if (blockIdx.x == 0) {
        data[t] = 3 * t;                          // (1)
        // Missing: a barrier. Thread 0 announces what the others may not have written yet.
        if (t == 0) {
            __threadfence();
            atomicExch(ready, 1);
        }
    } else {
        if (t == 0) {
            while (atomicAdd(ready, 0) == 0) {}
            __threadfence();
        }
        __syncthreads();
        out[t] = data[63 - t];                    // (2)
    }
}
