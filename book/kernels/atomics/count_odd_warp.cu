// finds: nothing
// launch: grid=2, block=64, args=[numbers('int32', 128), zeros('int32', 1), 128]

// Counts the odd elements: one lane goes to the counter for its whole
// warp.
__global__ void count_odd(const int* in, int* count, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    // One bit for each lane.
    unsigned votes = __ballot_sync(0xffffffffu, i < n && in[i] % 2 != 0);

    if (threadIdx.x % 32 == 0 && votes != 0) atomicAdd(count, __popc(votes));
}
