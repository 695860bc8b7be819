// finds: nothing
// launch: grid=2, block=64, args=[ramp(512), empty(128)]

// Each thread sums four neighbors: an optimizing compiler reads them in one access.
__global__ void shared_neighbors_merged(const float* in, float* out)
{
    __shared__ float tile[256];
    int t = threadIdx.x;

    for (int i = t; i < 256; i += blockDim.x)
        tile[i] = in[i + 256 * blockIdx.x];
    __syncthreads();
    float sum = 0.0f;
    for (int k = 0; k < 4; ++k)
        sum += tile[4 * t + k];
    out[t + blockDim.x * blockIdx.x] = sum;
}
