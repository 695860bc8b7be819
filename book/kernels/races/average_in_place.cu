// finds: Race
// launch: grid=2, block=8, args=[ramp(16), 16]

// Each element becomes the average of itself and its right neighbor,
// wrongly.
__global__ void average_in_place(float* x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    // Is x[i + 1] still the old one?
    if (i + 1 < n) x[i] = 0.5f * (x[i] + x[i + 1]);
}
