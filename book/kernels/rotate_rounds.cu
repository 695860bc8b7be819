// finds: nothing; without barrier 1: Race; without barrier 2: Race
// launch: grid=1, block=128, args=[ramp(128), empty(128), 2]

// Rotates 128 elements by 32 places, `rounds` times.
__global__ void rotate_rounds(const float* in, float* out, int rounds)
{
    __shared__ float tile[128];
    int t = threadIdx.x;
    float mine = in[t];

    for (int round = 0; round < rounds; ++round) {
        tile[t] = mine;
        __syncthreads();  // barrier 1: all have written, now they may read
        mine = tile[(t + 32) % 128];
        __syncthreads();  // barrier 2: all have read, now they may overwrite
    }
    out[t] = mine;
}
