// finds: UninitializedRead
// launch: grid=1, block=64, args=[numbers('float32', 40), empty_int(40), 40]

// Wrong: a tile is filled as far as x goes, and read to its end.
__global__ void ranks_no_fill(const float* x, int* rank, int n)
{
    __shared__ float tile[64];
    int t = threadIdx.x, i = 64 * blockIdx.x + t;
    float mine = i < n ? x[i] : 0.0f;
    int smaller = 0;

    for (int first = 0; first < n; first += 64) {
        if (first + t < n) tile[t] = x[first + t];
        __syncthreads();
        for (int k = 0; k < 64; ++k)
            smaller += tile[k] < mine;
        __syncthreads();
    }
    if (i < n) rank[i] = smaller;
}
