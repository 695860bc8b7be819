// kernel: hand_on   grid: 1   block: 1024
// args: out int32[32] poison
// expect: nothing
__global__ void hand_on(int* out)
{
    __shared__ int s, done;
    if (threadIdx.x == 0) s = 1, done = 0;
    __syncthreads();
    int warp = threadIdx.x / 32;
    if (threadIdx.x % 32) return;
    if (warp < 31) out[warp] = s;
    __threadfence_block();
    atomicAdd(&done, 1);
    if (warp == 31) {
        while (atomicAdd(&done, 0) < 32) ;
        __threadfence_block();
        s = 2;
    }
}
