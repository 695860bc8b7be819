// finds: nothing
// launch: grid=2, block=64, args=[ramp(1000), empty(1000), 1000]

// A thread copies every stride-th element, and waits for each of them.
__global__ void copy_in_turn(const float* in, float* out, int n)
{
    int stride = gridDim.x * blockDim.x;
    #pragma unroll 1
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) out[i] = in[i];
}
