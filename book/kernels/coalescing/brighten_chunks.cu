// finds: nothing
// launch: grid=1, block=32, args=[ramp(256), 256]

// Doubles each element. Thread t takes the eight from 8 t on.
__global__ void brighten_chunks(float* image, int n)
{
    int first = 8 * (blockIdx.x * blockDim.x + threadIdx.x);

    for (int i = first; i < first + 8 && i < n; ++i)
        image[i] = 2.0f * image[i];  // double
}
