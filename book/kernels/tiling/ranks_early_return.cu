// finds: BarrierDivergence
// launch: grid=2, block=64, args=[numbers('float32', 100), empty_int(100), 100]

// Wrong: threads without an element leave. Who loads for them?
__global__ void ranks_early_return(const float* x, int* rank, int n)
{
    __shared__ float tile[64];
    int t = threadIdx.x, i = 64 * blockIdx.x + t;
    if (i >= n) return;
    float mine = x[i];
    int smaller = 0;

    for (int first = 0; first < n; first += 64) {
        tile[t] = first + t < n ? x[first + t] : INFINITY;
        __syncthreads();
        for (int k = 0; k < 64; ++k)
            smaller += tile[k] < mine;
        __syncthreads();
    }
    rank[i] = smaller;
}
