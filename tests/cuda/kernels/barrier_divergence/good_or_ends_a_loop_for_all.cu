// kernel: settle   grid: 2   block: 64
// args: in int32[128] random, out int32[2] poison
// expect: nothing
// check: out == np.maximum(in_.reshape(2, 64).max(axis=1), 1)
__global__ void settle(const int* in, int* out)
{
    int left = in[blockIdx.x * 64 + threadIdx.x], rounds = 0;
    do {
        rounds++;
        left--;
    } while (__syncthreads_or(left > 0));  // the same answer in every thread
    if (threadIdx.x == 0) out[blockIdx.x] = rounds;
}
