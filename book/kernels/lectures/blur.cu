// finds: nothing
// launch: grid=3, block=64, args=[numbers('float64', 150), zeros('float64', 150), 150]

// Each element but the first and the last becomes a mean of itself and its
// neighbors.
__global__ void blur(const double* in, double* out, int n)
{
    int i = threadIdx.x + blockDim.x * blockIdx.x + 1;

    if (i < n - 1) {
        out[i] = 0.25 * (in[i - 1] + 2.0 * in[i] + in[i + 1]);
    }
}
