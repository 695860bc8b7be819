// finds: nothing
// launch: grid=4, block=64, args=[numbers('int16', 256), numbers('int16', 256)]

// 2 bytes each: a warp needs two sectors.
__global__ void copy_short(const short* in, short* out)
{
    int i = threadIdx.x + blockDim.x * blockIdx.x;

    out[i] = in[i];
}
