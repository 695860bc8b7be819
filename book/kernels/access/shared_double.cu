// finds: nothing
// launch: for stride in (1, 2, 3, 8): grid=2, block=64, args=[numbers('float64', 512), numbers('float64', 128), stride]

// Words of 8 bytes.
__global__ void shared_double(const double* in, double* out, int stride)
{
    __shared__ double tile[512];
    int t = threadIdx.x;

    for (int i = t; i < 512; i += blockDim.x)
        tile[i] = in[i];
    __syncthreads();
    out[t + blockDim.x * blockIdx.x] = tile[t * stride % 512];
}
