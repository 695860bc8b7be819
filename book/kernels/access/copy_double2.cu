// finds: nothing
// launch: grid=4, block=64, args=[numbers('float64', 512), numbers('float64', 512)]

// Two doubles in one access.
__global__ void copy_double2(const double2* in, double2* out)
{
    int i = threadIdx.x + blockDim.x * blockIdx.x;

    out[i] = in[i];
}
