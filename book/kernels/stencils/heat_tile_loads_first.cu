// finds: nothing; without barrier 1: Race
// launch: for n in (150, 256): grid=-(-n // 64), block=64, args=[numbers('float32', n), empty(n), n], shared_mem=4 * (64 + 2)

__device__ int in_ring(int i, int n) { return i < 0 ? i + n : i < n ? i : i - n; }

// As heat_tile, but a thread that fetches two elements starts both loads before it stores either.
__global__ void heat_tile_loads_first(const float* in, float* out, int n)
{
    extern __shared__ float tile[];  // tile[j] is element first - 1 + j
    int t = threadIdx.x, first = blockDim.x * blockIdx.x;

    float one = in[in_ring(first - 1 + t, n)], two = 0;
    if (t < 2) two = in[in_ring(first - 1 + int(blockDim.x) + t, n)];
    tile[t] = one;
    if (t < 2) tile[blockDim.x + t] = two;
    __syncthreads();  // barrier 1: the neighbors are there
    if (first + t < n)
        out[first + t] = 0.5f * tile[t + 1] + 0.25f * (tile[t] + tile[t + 2]);  // step
}
