// finds: nothing
// launch: grid=2, block=64, args=[ramp(1000), empty(1000), 1000]

// The same elements, but a thread asks for four of them before it waits for the first.
__global__ void copy_four_at_once(const float* in, float* out, int n)
{
    int stride = gridDim.x * blockDim.x, i = blockIdx.x * blockDim.x + threadIdx.x;
    #pragma unroll 1
    for (; i + 3 * stride < n; i += 4 * stride) {
        float a = in[i], b = in[i + stride], c = in[i + 2 * stride], d = in[i + 3 * stride];
        out[i] = a;
        out[i + stride] = b;
        out[i + 2 * stride] = c;
        out[i + 3 * stride] = d;
    }
    for (; i < n; i += stride) out[i] = in[i];
}
