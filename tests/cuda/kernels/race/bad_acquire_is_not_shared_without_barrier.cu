// kernel: two_phases   grid: 2   block: 64
// args: ready int32[1] zeros, data int32[64] zeros, out int32[64] poison
// expect: Race between=1,2 array=data scope=grid
__global__ void two_phases(int* ready, int* data, int* out)
{
    int t = threadIdx.x;
    if (blockIdx.x == 0) {
        data[t] = 3 * t;                          // (1)
        __syncthreads();
        if (t == 0) {
            __threadfence();
            atomicExch(ready, 1);
        }
    } else {
        if (t == 0) {
            while (atomicAdd(ready, 0) == 0) {}
            __threadfence();
        }
        // Missing: a barrier. Only thread 0 has waited.
        out[t] = data[63 - t];                    // (2)
    }
}
