// kernel: two_phases   grid: 4   block: 32
// args: count int32[1] zeros, sense int32[1] zeros, data int32[128] zeros, out int32[128] poison
// expect: nothing
// check: out == (np.arange(128)[::-1] + 1) * 2
// A sense-reversing barrier: right as long as all blocks are on the GPU at once.
__device__ void grid_barrier(int* count, int* sense, int round)
{
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        if (atomicAdd(count, 1) == gridDim.x - 1) {
            atomicExch(count, 0);
            __threadfence();
            atomicExch(sense, round);
        } else {
            while (atomicAdd(sense, 0) != round) {}
        }
        __threadfence();
    }
    __syncthreads();
}
__global__ void two_phases(int* count, int* sense, int* data, int* out)
{
    int i = blockIdx.x * 32 + threadIdx.x;
    data[i] = i;
    grid_barrier(count, sense, 1);
    int v = data[127 - i];
    grid_barrier(count, sense, 2);
    data[i] = v + 1;
    grid_barrier(count, sense, 3);
    out[i] = 2 * data[i];
}
