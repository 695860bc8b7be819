// finds: nothing
// launch: for stride in (2, 3, 4, 8): grid=4, block=64, args=[numbers('float64', 8 * 256), numbers('float64', 256), stride]

// Doubles that are `stride` apart.
__global__ void double_strided(const double* in, double* out, int stride)
{
    int i = threadIdx.x + blockDim.x * blockIdx.x;

    out[i] = in[stride * i];
}
