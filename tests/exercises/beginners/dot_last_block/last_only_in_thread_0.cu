%%cuda dot_last_block
// Adds up what the threads of a block give, and returns the sum to each of them. part has blockDim.x elements.
__device__ float sum_of_block(float mine, float* part)
{
    int t = threadIdx.x;
    part[t] = mine;
    __syncthreads();            // all numbers must be there
    for (int half = blockDim.x / 2; half > 0; half /= 2) {
        if (t < half)
            part[t] += part[t + half];
        __syncthreads();        // a round must be over before the next one begins
    }
    float sum = part[0];
    __syncthreads();            // everyone has the sum before part is used again
    return sum;
}

// result[0] = the dot product of x and y. done[0] is 0 before the launch and after it.
__global__ void dot_last_block(const float* x, const float* y, float* partial, unsigned int* done, float* result, int n)
{
    extern __shared__ float part[];         // blockDim.x elements
    int t = threadIdx.x;

    float mine = 0;
    int stride = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + t; i < n; i += stride)
        mine += x[i] * y[i];
    float sum = sum_of_block(mine, part);

    // 1. Leave the block's sum, take a ticket, and let the whole block know whether it is the last.
    bool last = false;
    if (t == 0) {
        partial[blockIdx.x] = sum;
        __threadfence();
        last = atomicAdd(done, 1) == gridDim.x - 1;
    }
    __syncthreads();

    // 2. The last block adds up all partial sums, stores the result, and sets the counter back.
    if (last) {
        float mine = 0;
        for (int b = t; b < gridDim.x; b += blockDim.x) mine += partial[b];
        mine = sum_of_block(mine, part);
        if (t == 0) {
            result[0] = mine;
            done[0] = 0;
        }
    }
}
