// finds: nothing
// launch: grid=4, block=64, args=[numbers('uint8', 768), numbers('uint8', 768)]

// Three bytes that are no power of two: three accesses.
__global__ void copy_uchar3(const uchar3* in, uchar3* out)
{
    int i = threadIdx.x + blockDim.x * blockIdx.x;

    out[i] = in[i];
}
