// kernel: two_phases   grid: 2   block: 64
// args: ready int32[1] zeros, data int32[64] zeros, out int32[64] poison
// expect: nothing
// check: out == np.arange(64)[::-1] * 3
__global__ void two_phases(int* ready, int* data, int* out)
{
    int t = threadIdx.x;
    if (blockIdx.x == 0) {
        data[t] = 3 * t;
        __syncthreads();  // thread 0 knows what all have written, and its fence passes that on
        if (t == 0) {
            __threadfence();
            atomicExch(ready, 1);
        }
    } else {
        if (t == 0) {
            while (atomicAdd(ready, 0) == 0) {}
            __threadfence();
        }
        __syncthreads();  // what thread 0 has learnt, all know
        out[t] = data[63 - t];
    }
}
