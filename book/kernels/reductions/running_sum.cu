// finds: nothing; without barrier 1: Race; without barrier 2: Race
// launch: grid=1, block=128, args=[ramp(128), empty(128)], shared_mem=1024

// out[i] = the sum of the block's elements up to and including i.
__global__ void running_sum(const float* in, float* out)
{
    extern __shared__ float rows[];  // two rows, which take turns
    int t = threadIdx.x, i = t + blockDim.x * blockIdx.x;
    float* from = rows;
    float* to = rows + blockDim.x;

    from[t] = in[i];
    __syncthreads();  // barrier 1: the first row is complete
    for (int back = 1; back < blockDim.x; back *= 2) {
        to[t] = from[t] + (t >= back ? from[t - back] : 0.0f);
        __syncthreads();  // barrier 2: new row full, old one read
        float* old = from;
        from = to;
        to = old;
    }
    out[i] = from[t];
}
