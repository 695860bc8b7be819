// finds: UninitializedRead
// launch: grid=1, block=64, args=[ramp(50), empty(64), 50]

// Mirrors a tile of which only the first n elements are filled.
__global__ void mirror(const float* in, float* out, int n)
{
    __shared__ float tile[64];
    int t = threadIdx.x;

    if (t < n) tile[t] = in[t];
    __syncthreads();  // the tile is filled
    out[t] = tile[63 - t];
}
