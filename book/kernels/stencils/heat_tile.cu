// finds: nothing; without barrier 1: Race
// launch: for n in (150, 256): grid=-(-n // 64), block=64, args=[numbers('float32', n), empty(n), n], shared_mem=4 * (64 + 2)

// A block fetches its elements once, and one more on each side. n >= blockDim.x + 2.
__global__ void heat_tile(const float* in, float* out, int n)
{
    extern __shared__ float tile[];  // tile[j] is element first - 1 + j
    int t = threadIdx.x, first = blockDim.x * blockIdx.x, width = blockDim.x + 2;

    for (int j = t; j < width; j += blockDim.x) {
        int from = first - 1 + j;
        from += from < 0 ? n : from < n ? 0 : -n;  // a ring goes on at both ends
        tile[j] = in[from];  // fetch
    }
    __syncthreads();  // barrier 1: the neighbors are there
    if (first + t < n)
        out[first + t] = 0.5f * tile[t + 1] + 0.25f * (tile[t] + tile[t + 2]);  // step
}
