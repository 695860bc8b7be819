// finds: nothing
// launch: grid=2, block=64, args=[numbers('int32', 128), zeros('int32', 1), 128]

// Counts the odd elements: each that is found goes to the counter.
__global__ void count_odd(const int* in, int* count, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n && in[i] % 2 != 0) atomicAdd(count, 1);
}
