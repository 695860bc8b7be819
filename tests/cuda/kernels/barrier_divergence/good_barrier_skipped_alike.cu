// kernel: alike   grid: 3   block: 48
// args: out int32[144] poison
// expect: nothing
// check: out == np.repeat([47, 1, 47], 48)
__global__ void alike(int* out)
{
    __shared__ int s;
    int v = 1;
    if (blockIdx.x % 2 == 0) {  // the same for every thread of a block
        if (threadIdx.x == 47) s = 47;
        __syncthreads();
        v = s;
    }
    out[blockIdx.x * 48 + threadIdx.x] = v;
}
