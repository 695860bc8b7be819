// finds: nothing; without barrier 1: Race; without barrier 2: Race
// launch: grid=4, block=64, args=[numbers('float32', 256), empty_int(256), 256]

// The same. Each block fetches x in tiles of 64.
__global__ void ranks_tiles(const float* x, int* rank, int n)
{
    __shared__ float tile[64];
    int t = threadIdx.x, i = 64 * blockIdx.x + t;
    float mine = x[i];
    int smaller = 0;

    for (int first = 0; first < n; first += 64) {
        tile[t] = x[first + t];  // one element for each thread
        __syncthreads();  // barrier 1: the tile is whole
        for (int k = 0; k < 64; ++k)
            smaller += tile[k] < mine;
        __syncthreads();  // barrier 2: nobody needs this tile any more
    }
    rank[i] = smaller;
}
