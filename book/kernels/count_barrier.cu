// finds: nothing
// launch: grid=1, block=128, args=[ramp(128), empty_int(1), 100.0]

// Counts the elements above `limit`, one for each thread of the block.
__global__ void count_above(const float* in, int* count, float limit)
{
    int t = threadIdx.x;

    int above = __syncthreads_count(in[t] > limit);
    if (t == 0) *count = above;
}
