// finds: OutOfBounds
// launch: grid=2, block=32, args=[ramp(100), empty(100), 100]

// Two elements for each thread, a block's width apart. The guard asks for one of them.
__global__ void two_each_one_guard(const float* in, float* out, int n)
{
    int first = 2 * blockDim.x * blockIdx.x + threadIdx.x, second = first + blockDim.x;
    if (first >= n) return;
    float a = in[first], b = in[second];
    out[first] = a * a;
    out[second] = b * b;
}
