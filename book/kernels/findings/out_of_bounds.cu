// finds: OutOfBounds
// launch: grid=2, block=32, args=[ramp(50), empty(50)]

// Doubles 50 elements, with 64 threads.
__global__ void double_all(const float* in, float* out)
{
    int i = threadIdx.x + blockDim.x * blockIdx.x;

    out[i] = 2 * in[i];
}
