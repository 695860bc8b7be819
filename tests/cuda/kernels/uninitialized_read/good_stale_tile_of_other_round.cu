// kernel: rounds   grid: 2   block: 32
// args: out int32[64] poison
// expect: nothing
__global__ void rounds(int* out)
{
    __shared__ int s[32];
    int sum = 0;
    for (int r = 0; r < 3; r++) {
        // Written in the first round only: read later, it is old but not uninitialized.
        if (r == 0) s[threadIdx.x] = threadIdx.x;
        __syncthreads();
        sum += s[31 - threadIdx.x];
        __syncthreads();
    }
    out[blockIdx.x * 32 + threadIdx.x] = sum;
}
