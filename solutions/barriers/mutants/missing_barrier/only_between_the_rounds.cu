// rejected by: keeps_what_is_given
// "After the last round nobody reads what others wrote." True, but the kernel was to get barriers and nothing else.
// Each block adds to every number its two neighbors in the block, twice.
__global__ void add_neighbors_twice(const int* in, int* out, int n)
{
    extern __shared__ int row[];
    int tid = threadIdx.x;
    int i = blockIdx.x * blockDim.x + tid;

    // Place A
    // None needed: no thread of the block has touched row yet.
    row[tid] = i < n ? in[i] : 0;

    // Place B
    __syncthreads();    // the neighbors' numbers must be there before anyone adds them
    for (int round = 0; round < 2; ++round) {
        int sum = row[tid];
        if (tid > 0) {
            // Place C
            // None may stand here: thread 0 never comes by.
            sum += row[tid - 1];
        }
        if (tid + 1 < blockDim.x)
            sum += row[tid + 1];

        // Place D
        __syncthreads();    // every neighbor must have read row[tid] before it changes
        row[tid] = sum;

        // Place E
        if (round == 0)
            __syncthreads();    // the next round reads what this round wrote
    }

    if (i < n) {
        // Place F
        // None may stand here: threads past the end do not come by. And each thread reads only its own number.
        out[i] = row[tid];
    }
}
