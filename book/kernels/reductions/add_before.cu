// finds: nothing
// launch: grid=3, block=128, args=[ramp(300), ramp(3), 300]

// Adds to each block's sums the sum of all blocks before it.
__global__ void add_before(float* sums, const float* up_to, int n)
{
    int i = threadIdx.x + blockDim.x * blockIdx.x;

    if (blockIdx.x > 0 && i < n) sums[i] += up_to[blockIdx.x - 1];
}
