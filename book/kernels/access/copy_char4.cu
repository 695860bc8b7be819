// finds: nothing
// launch: grid=4, block=64, args=[numbers('int8', 1024), numbers('int8', 1024)]

// Four bytes in one access.
__global__ void copy_char4(const char4* in, char4* out)
{
    int i = threadIdx.x + blockDim.x * blockIdx.x;

    out[i] = in[i];
}
