// kernel: search   grid: 1   block: 32
// args: in int32[128] arange, out int32[1] zeros
// expect: BarrierDivergence lines=1,2 scope=block exited=0 threads=32
__global__ void search(const int* in, int* out)
{
    __shared__ int found;
    if (threadIdx.x == 0) found = -1;
    __syncthreads();
    for (int r = 0; r < 4; r++) {
        if (in[32 * r + threadIdx.x] == 40) {
            found = 32 * r + threadIdx.x;
            break;
        }
        __syncthreads();                          // (1)
    }
    __syncthreads();                              // (2)
    if (threadIdx.x == 0) *out = found;
}
