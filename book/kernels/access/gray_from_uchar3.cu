// finds: nothing
// launch: grid=4, block=64, args=[numbers('uint8', 768), numbers('uint8', 256)]

// Pixels of three bytes, each byte read by name.
__global__ void gray_from_uchar3(const uchar3* in, unsigned char* out)
{
    int i = threadIdx.x + blockDim.x * blockIdx.x;

    out[i] = (in[i].x + in[i].y + in[i].z) / 3;
}
