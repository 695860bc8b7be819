// finds: nothing
// launch: grid=4, block=64, args=[numbers('uint8', 256), numbers('uint8', 256)]

// 1 byte each: a warp needs one sector.
__global__ void copy_uchar(const unsigned char* in, unsigned char* out)
{
    int i = threadIdx.x + blockDim.x * blockIdx.x;

    out[i] = in[i];
}
