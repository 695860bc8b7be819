// finds: nothing
// launch: for stride in (2, 3, 8, 32, 33): grid=4, block=64, args=[ramp(256), empty(33 * 256), stride]

// Neighboring threads store elements that are `stride` apart.
__global__ void store_strided(const float* in, float* out, int stride)
{
    int i = threadIdx.x + blockDim.x * blockIdx.x;

    out[stride * i] = in[i];
}
