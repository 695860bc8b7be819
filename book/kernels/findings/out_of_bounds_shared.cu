// finds: OutOfBounds
// launch: grid=1, block=64, args=[ramp(64), empty(64)]

// Each element plus its right neighbor.
__global__ void add_next(const float* in, float* out)
{
    __shared__ float tile[64];
    int t = threadIdx.x;

    tile[t] = in[t];
    __syncthreads();  // the neighbor's element is there
    out[t] = tile[t] + tile[t + 1];
}
