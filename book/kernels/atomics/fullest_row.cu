// finds: nothing
// launch: grid=4, block=64, args=[numbers('int32', 4, 64), zeros('int32', 4), zeros('uint32', 1), empty_int(1), 64]

// Which row has the most even numbers? Each block counts one row, and
// the block that is done last compares.
__global__ void fullest_row(const int* rows, int* even, unsigned* arrived,
                            int* fullest, int n)
{
    int t = threadIdx.x;
    const int* row = rows + blockIdx.x * n;
    int count = __syncthreads_count(t < n && row[t] % 2 == 0);

    if (t == 0) {
        even[blockIdx.x] = count;
        __threadfence();  // the count is there before the block arrives
        unsigned before = atomicInc(arrived, gridDim.x - 1);  // at last: 0
        if (before == gridDim.x - 1) {
            __threadfence();  // the counts are read after that
            int best = 0;
            for (int b = 1; b < gridDim.x; ++b)
                if (even[b] > even[best]) best = b;
            *fullest = best;
        }
    }
}
