// finds: nothing
// launch: grid=2, block=512, args=[numbers("uint8", 20001), zeros("uint32", 256), 20001]

constexpr int THREADS = 512, BINS = 256, LANES = 32;

// Adds to counts[v] how often the byte v stands among the n bytes of data.
__launch_bounds__(THREADS, 4)  // at most 32 registers a thread, so that four blocks fit on a multiprocessor
__global__ void histogram(const unsigned char* data, unsigned int* counts, int n)
{
    // Each bin has a counter for each lane, and all counters of a lane lie in one bank, which is the lane's own.
    __shared__ unsigned int own[BINS][LANES];
    int thread = blockIdx.x * THREADS + threadIdx.x, threads = gridDim.x * THREADS, lane = threadIdx.x % LANES;
    for (int i = threadIdx.x; i < BINS * LANES; i += THREADS) own[i / LANES][i % LANES] = 0;
    __syncthreads();  // all counts are 0 before the first addition

    const uint4* data16 = (const uint4*)data;
    for (int i = thread; i < n / 16; i += threads) {
        uint4 v = data16[i];
        unsigned int words[4] = {v.x, v.y, v.z, v.w};
        #pragma unroll
        for (int j = 0; j < 4; ++j)
            #pragma unroll
            for (int shift = 0; shift < 32; shift += 8) atomicAdd(&own[words[j] >> shift & 255u][lane], 1u);  // count
    }
    if (thread < n % 16) atomicAdd(&own[data[n - 1 - thread]][lane], 1u);
    __syncthreads();  // all additions are done before anybody sums up

    // A thread adds up the counters of a bin. It begins in its own bank: 32 lanes that began in one would wait in line.
    for (int bin = threadIdx.x; bin < BINS; bin += THREADS) {
        unsigned int count = 0;
        for (int k = 0; k < LANES; ++k) count += own[bin][(lane + k) % LANES];
        if (count) atomicAdd(&counts[bin], count);
    }
}
