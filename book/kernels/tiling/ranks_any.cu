// finds: nothing; without barrier 1: Race; without barrier 2: Race
// launch: grid=3, block=48, args=[numbers('float32', 100), empty_int(100), 100], shared_mem=48 * 4

// The ranks for any n and any block; a tile is as long as the block.
__global__ void ranks_any(const float* x, int* rank, int n)
{
    extern __shared__ float tile[];  // blockDim.x elements
    int m = blockDim.x, t = threadIdx.x, i = m * blockIdx.x + t;
    float mine = i < n ? x[i] : 0.0f;
    int smaller = 0;

    for (int first = 0; first < n; first += m) {
        // No number is larger than infinity, so it is never counted.
        tile[t] = first + t < n ? x[first + t] : INFINITY;
        __syncthreads();  // barrier 1: the tile is whole
        for (int k = 0; k < m; ++k)
            smaller += tile[k] < mine;
        __syncthreads();  // barrier 2: nobody needs this tile any more
    }
    if (i < n) rank[i] = smaller;
}
