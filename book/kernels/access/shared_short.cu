// finds: nothing
// launch: for stride in (1, 2, 3, 8): grid=2, block=64, args=[numbers('int16', 512), numbers('int16', 128), stride]

// Two bytes: two lanes share a word.
__global__ void shared_short(const short* in, short* out, int stride)
{
    __shared__ short tile[512];
    int t = threadIdx.x;

    for (int i = t; i < 512; i += blockDim.x)
        tile[i] = in[i];
    __syncthreads();
    out[t + blockDim.x * blockIdx.x] = tile[t * stride % 512];
}
