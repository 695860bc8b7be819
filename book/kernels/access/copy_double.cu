// finds: nothing
// launch: grid=4, block=64, args=[numbers('float64', 256), numbers('float64', 256)]

// 8 bytes each: a warp needs eight sectors.
__global__ void copy_double(const double* in, double* out)
{
    int i = threadIdx.x + blockDim.x * blockIdx.x;

    out[i] = in[i];
}
