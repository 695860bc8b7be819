// finds: nothing; without barrier 1: Race; without barrier 2: Race
// launch: grid=1, block=16, args=[ramp(16), empty(1)]

// Adds up 16 elements in four steps.
__global__ void tree_sum(const float* in, float* out)
{
    __shared__ float part[16];
    int t = threadIdx.x;

    part[t] = in[t];  // fill
    __syncthreads();  // barrier 1: all elements are there
    for (int half = 8; half > 0; half /= 2) {
        if (t < half)
            part[t] += part[t + half];  // add
        __syncthreads();  // barrier 2: all sums of this step are there
    }
    if (t == 0) *out = part[0];
}
