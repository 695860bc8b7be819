// finds: nothing
// launch: for stride in (1, 2, 3, 8): grid=2, block=64, args=[numbers('uint8', 512), numbers('uint8', 128), stride]

// Bytes: four lanes share a word.
__global__ void shared_uchar(const unsigned char* in, unsigned char* out, int stride)
{
    __shared__ unsigned char tile[512];
    int t = threadIdx.x;

    for (int i = t; i < 512; i += blockDim.x)
        tile[i] = in[i];
    __syncthreads();
    out[t + blockDim.x * blockIdx.x] = tile[t * stride % 512];
}
