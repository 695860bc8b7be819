// finds: nothing
// launch: grid=3, block=64, args=[numbers('float32', 514), empty(129), 514]

constexpr int BSIZE = 64, DECIMATE = 4;

// L2's downsample with the guard of its stores as told. It wants 128 of the 129 elements. (Not a template here.)
__global__ void downsample(const float* in, float* out, int n)
{
    __shared__ float buffer[BSIZE];
    auto idx = threadIdx.x + blockIdx.x * BSIZE;

    if (idx * DECIMATE < n)
        buffer[threadIdx.x] = in[idx * DECIMATE];
    __syncthreads();
    if (idx < n / DECIMATE)
        out[idx] = buffer[threadIdx.x];
}
