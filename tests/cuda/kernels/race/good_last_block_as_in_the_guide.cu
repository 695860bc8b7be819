// kernel: sum_all   grid: 4   block: 32
// args: partial float32[4] poison, ticket uint32[1] zeros, out float32[1] poison
// expect: nothing
// check: out == [0 + 1 + 2 + 3]
// As the CUDA C++ Programming Guide has it: the sums are volatile, and the last block has no fence of its own.
__global__ void sum_all(volatile float* partial, unsigned* ticket, float* out)
{
    __shared__ bool last;
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = blockIdx.x;
        __threadfence();
        last = atomicInc(ticket, gridDim.x) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && threadIdx.x == 0) {
        float sum = 0;
        for (int b = 0; b < gridDim.x; b++) sum += partial[b];
        *out = sum;
    }
}
