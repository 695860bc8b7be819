// finds: nothing
// launch: grid=2, block=32, args=[numbers('uint8', 512), zeros('int32', 16), 512]

// Bins of one byte for each thread, privatized: no atomics until the end.
__global__ void histogram_bytes(const unsigned char* in, int* bins, int n)
{
    __shared__ unsigned char mine[16][32];
    int t = threadIdx.x;

    for (int bin = 0; bin < 16; ++bin)
        mine[bin][t] = 0;
    for (int i = t + 32 * blockIdx.x; i < n; i += 32 * gridDim.x)
        ++mine[in[i] % 16][t];
    __syncthreads();
    if (t < 16) {
        int sum = 0;
        for (int k = 0; k < 32; ++k)
            sum += mine[t][k];
        atomicAdd(&bins[t], sum);
    }
}
