// rejected by: matches_numpy
// "My own counter starts at 0: it says so." It does before the first launch, and nobody sets it back.
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

__device__ unsigned int tickets = 0;

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
    __shared__ bool is_last;
    if (t == 0) {
        partial[blockIdx.x] = sum;
        __threadfence();        // the sum must be there before the ticket
        is_last = atomicAdd(&tickets, 1u) == gridDim.x - 1;
    }
    __syncthreads();            // thread 0 has asked for all; and nobody reads partial earlier

    // 2. The last block adds up all partial sums, stores the result, and sets the counter back.
    if (is_last) {              // the same for all threads of the block, so barriers may stand in here
        float total = 0;
        for (int b = t; b < gridDim.x; b += blockDim.x)
            total += partial[b];
        total = sum_of_block(total, part);
        if (t == 0) {
            result[0] = total;
            done[0] = 0;
        }
    }
}
