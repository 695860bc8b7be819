// finds: nothing
// launch: for stride in (1, 2, 8): grid=2, block=64, args=[numbers('int32', 128), numbers('int32', 128), stride]

// Each thread adds to a word of its own, `stride` words from the next one.
__global__ void atomic_shared_strided(const int* in, int* out, int stride)
{
    __shared__ int sums[512];
    int t = threadIdx.x, i = t + blockDim.x * blockIdx.x;

    sums[t * stride] = 0;
    __syncthreads();
    atomicAdd(&sums[t * stride], in[i]);
    __syncthreads();
    out[i] = sums[t * stride];
}
