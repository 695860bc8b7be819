// finds: nothing
// launch: grid=2, block=64, args=[numbers('int32', 256), zeros('int32', 32), 256]

// Each block has bins of its own, and adds them up at the end.
__global__ void histogram_shared(const int* in, int* bins, int n)
{
    __shared__ int mine[32];
    int t = threadIdx.x;

    if (t < 32) mine[t] = 0;
    __syncthreads();
    for (int i = t + blockDim.x * blockIdx.x; i < n; i += blockDim.x * gridDim.x)
        atomicAdd(&mine[in[i] % 32], 1);
    __syncthreads();
    if (t < 32) atomicAdd(&bins[t], mine[t]);
}
