// finds: nothing; without barrier 1: Race; without barrier 2: Race
// launch: grid=2, block=64, args=[numbers('int32', 1500) % 64, zeros('int32', 64), 1500]

// Elements for each thread: a block must have enough to count.
constexpr int EACH = 16;

// bins[v] += how often v occurs in x, for v from 0 to 63. Each block
// counts for itself first.
__global__ void histogram(const int* x, int* bins, int n)
{
    __shared__ int own[64];
    int t = threadIdx.x;
    int begin = EACH * blockDim.x * blockIdx.x;

    if (t < 64) own[t] = 0;
    __syncthreads();  // barrier 1: all 64 are 0 before anyone counts
    for (int round = 0; round < EACH; ++round) {
        int i = begin + round * blockDim.x + t;
        if (i < n) atomicAdd(&own[x[i]], 1);
    }
    __syncthreads();  // barrier 2: the block has counted to its end
    if (t < 64 && own[t] > 0) atomicAdd(&bins[t], own[t]);
}
