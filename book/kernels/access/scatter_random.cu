// finds: nothing
// launch: grid=4, block=64, args=[ramp(256), shuffled(1024), empty(1024)]

// Each thread stores to an element anywhere.
__global__ void scatter_random(const float* in, const int* to, float* out)
{
    int i = threadIdx.x + blockDim.x * blockIdx.x;

    out[to[i]] = in[i];
}
