// finds: nothing; without barrier 1: Race; without barrier 2: Race
// launch: grid=1, block=128, args=[ramp(128), empty(128), 2, -1]

// Each warp adds what the warp before it has, `rounds` times. Warp
// number `late` is slow to read.
__global__ void relay(const float* in, float* out, int rounds, int late)
{
    __shared__ float held[128];
    int t = threadIdx.x;
    float mine = in[t];

    for (int round = 0; round < rounds; ++round) {
        held[t] = mine;
        __syncthreads();  // barrier 1: all have put theirs down
        if (t / 32 == late) __nanosleep(2000);  // about 2 microseconds: 0 to 4
        mine += held[(t + 96) % 128];
        __syncthreads();  // barrier 2: all have read, now they may write
    }
    out[t] = mine;
}
