// finds: nothing; without barrier 1: Race; without barrier 2: Race
// launch: grid=1, block=64, args=[ramp(192), empty(32), 6]

// The same work with one slot, and with barriers of the whole block.
__global__ void together(const float* in, float* out, int rows)
{
    __shared__ float slot[32];
    int lane = threadIdx.x % 32;
    float sum = 0.0f;
    for (int k = 0; k < rows; ++k) {
        if (threadIdx.x < 32)
            slot[lane] = in[32 * k + lane];
        __syncthreads();  // barrier 1: row k is there
        if (threadIdx.x >= 32)
            sum += slot[31 - lane];
        __syncthreads();  // barrier 2: row k has been read
    }
    if (threadIdx.x >= 32)
        out[lane] = sum;
}
