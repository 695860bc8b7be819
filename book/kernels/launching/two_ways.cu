// finds: nothing
// launch: for neighbors in (1, 32): grid=1, block=64, args=[ramp(64), empty(64), neighbors]

// Every other group of neighbors takes the other way.
__global__ void two_ways(const float* in, float* out, int neighbors)
{
    int t = threadIdx.x;
    if (t / neighbors % 2 == 0)
        out[t] = sqrtf(in[t]);
    else
        out[t] = in[t] * in[t];
}
