// finds: nothing; without barrier 1: Race
// launch: grid=1, block=128, args=[ramp(384), empty(128), 3]

// The same sums. While one buffer is used, the next element is on its way.
__global__ void two_buffers(const float* in, float* out, int phases)
{
    __shared__ float tile[2][128];
    int t = threadIdx.x;
    float sum = 0.0f, next = in[128 * blockIdx.x + t];
    for (int phase = 0; phase < phases; ++phase) {
        tile[phase % 2][t] = next;
        __syncthreads();  // barrier 1: this tile is whole; the other one is free
        if (phase + 1 < phases)
            next = in[((phase + 1) * gridDim.x + blockIdx.x) * 128 + t];
        for (int k = 0; k < 5; ++k) sum += tile[phase % 2][(t + 25 * k) % 128];
    }
    out[128 * blockIdx.x + t] = sum;
}
