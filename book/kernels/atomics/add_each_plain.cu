// finds: nothing
// launch: grid=2, block=64, args=[ramp(128), ramp(128), 128]

// Each thread adds to an element that no other thread touches.
__global__ void add_each(const float* in, float* sums, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n) sums[i] += in[i];
}
