// finds: nothing
// launch: grid=1, block=128, args=[numbers("float64", 128), empty_int(128)]

// L2's separate arrays: 1536 bytes of shared memory. Each thread uses only what it wrote itself.
__global__ void kernel1(const double* in, int* out)
{
    __shared__ int X[128];
    __shared__ double Y[128];
    int i = threadIdx.x;

    Y[i] = in[i];
    X[i] = (int)Y[i];
    out[i] = X[i];
}
