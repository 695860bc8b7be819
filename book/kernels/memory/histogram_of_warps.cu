// finds: nothing
// launch: grid=2, block=256, args=[numbers("uint8", 5001), zeros("uint32", 256), 5001]

constexpr int THREADS = 256, BINS = 256, COPIES = 4;

// Adds to counts[v] how often the byte v stands among the n bytes of data.
__global__ void histogram_of_warps(const unsigned char* data, unsigned int* counts, int n)
{
    // Every COPIES-th warp shares a histogram: so equal bytes of different warps seldom meet.
    __shared__ unsigned int own[COPIES][BINS];
    int thread = blockIdx.x * THREADS + threadIdx.x, threads = gridDim.x * THREADS;
    for (int i = threadIdx.x; i < COPIES * BINS; i += THREADS) own[i / BINS][i % BINS] = 0;
    __syncthreads();  // all counts are 0 before the first addition

    unsigned int* mine = own[threadIdx.x / 32 % COPIES];
    const uint4* data16 = (const uint4*)data;
    for (int i = thread; i < n / 16; i += threads) {
        uint4 v = data16[i];
        unsigned int words[4] = {v.x, v.y, v.z, v.w};
        #pragma unroll
        for (int j = 0; j < 4; ++j)
            #pragma unroll
            for (int shift = 0; shift < 32; shift += 8) atomicAdd(&mine[words[j] >> shift & 255u], 1u);
    }
    if (thread < n % 16) atomicAdd(&mine[data[n - 1 - thread]], 1u);
    __syncthreads();  // all additions are done before anybody sums up

    for (int bin = threadIdx.x; bin < BINS; bin += THREADS) {
        unsigned int count = 0;
        for (int copy = 0; copy < COPIES; ++copy) count += own[copy][bin];
        if (count) atomicAdd(&counts[bin], count);
    }
}
