// finds: nothing
// launch: grid=1, block=32, args=[ramp(256), 256]

// Doubles each element. A block takes its share side by side, in
// eight rounds.
__global__ void brighten_turns(float* image, int n)
{
    int first = 8 * blockIdx.x * blockDim.x + threadIdx.x;

    for (int round = 0; round < 8; ++round) {
        int i = first + round * blockDim.x;
        if (i < n) image[i] = 2.0f * image[i];  // double
    }
}
