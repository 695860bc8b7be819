// finds: nothing
// launch: grid=2, block=64, args=[ramp(500), empty(500), 500]

// Each thread takes every 128th element.
__global__ void copy_grid_stride(const float* in, float* out, int n)
{
    int threads = blockDim.x * gridDim.x;

    for (int i = threadIdx.x + blockDim.x * blockIdx.x; i < n; i += threads)
        out[i] = in[i];
}
