// finds: nothing
// launch: name="downsample<64, 4>", grid=3, block=64, args=[numbers('float32', 514), empty(129), 514]

// L2: keeps every DECIMATE-th element, by way of shared memory.
template <int BSIZE, int DECIMATE = 1>
__global__ void downsample(const float* in, float* out, int n)
{
    __shared__ float buffer[BSIZE];
    auto idx = threadIdx.x + blockIdx.x * BSIZE;

    if (idx * DECIMATE < n)
        buffer[threadIdx.x] = in[idx * DECIMATE];  // load
    __syncthreads();
    // L2 asks idx < n / DECIMATE, and so drops the last one if n is no
    // multiple.
    if (idx * DECIMATE < n)
        out[idx] = buffer[threadIdx.x];  // store
}
