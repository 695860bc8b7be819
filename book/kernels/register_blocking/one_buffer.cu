// finds: nothing; without barrier 1: Race; without barrier 2: Race
// launch: grid=1, block=128, args=[ramp(384), empty(128), 3]

// Each phase brings a tile of 128 elements for each block; every thread adds up five of them.
__global__ void one_buffer(const float* in, float* out, int phases)
{
    __shared__ float tile[128];
    int t = threadIdx.x;
    float sum = 0.0f;
    for (int phase = 0; phase < phases; ++phase) {
        tile[t] = in[(phase * gridDim.x + blockIdx.x) * 128 + t];
        __syncthreads();  // barrier 1: the tile is whole
        for (int k = 0; k < 5; ++k) sum += tile[(t + 25 * k) % 128];
        __syncthreads();  // barrier 2: nobody needs it any more
    }
    out[128 * blockIdx.x + t] = sum;
}
