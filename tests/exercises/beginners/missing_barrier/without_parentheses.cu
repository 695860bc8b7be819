%%cuda missing_barrier
// Each block adds to every number its two neighbors in the block, twice.
__global__ void add_neighbors_twice(const int* in, int* out, int n)
{
    extern __shared__ int row[];
    int tid = threadIdx.x;
    int i = blockIdx.x * blockDim.x + tid;

    // Place A
    row[tid] = i < n ? in[i] : 0;

    // Place B
    __syncthreads;
    for (int round = 0; round < 2; ++round) {
        int sum = row[tid];
        if (tid > 0) {
            // Place C
            sum += row[tid - 1];
        }
        if (tid + 1 < blockDim.x)
            sum += row[tid + 1];

        // Place D
        __syncthreads;
        row[tid] = sum;

        // Place E
        __syncthreads;
    }

    if (i < n) {
        // Place F
        out[i] = row[tid];
    }
}
