// rejected by: shares_the_work
// perhaps also: keeps_what_is_given
// Each fourth number has a thread, which does the work of three others, too.
__global__ void add_neighbors_twice(const int* in, int* out, int n)
{
    extern __shared__ int row[];
    int tid = threadIdx.x, work = blockDim.x / 4;
    int b = blockIdx.x * blockDim.x + 4 * tid;
    int v[6];
    if (tid < work) {
        for (int k = 0; k < 4; ++k) v[k + 1] = b + k < n ? in[b + k] : 0;
    }
    for (int round = 0; round < 2; ++round) {
        if (tid < work) { row[2 * tid] = v[1]; row[2 * tid + 1] = v[4]; }
        __syncthreads();
        if (tid < work) {
            v[0] = tid > 0 ? row[2 * tid - 1] : 0;
            v[5] = tid + 1 < work ? row[2 * tid + 2] : 0;
            int w[4];
            for (int k = 0; k < 4; ++k) w[k] = v[k] + v[k + 1] + v[k + 2];
            for (int k = 0; k < 4; ++k) v[k + 1] = w[k];
        }
        __syncthreads();
    }
    if (tid < work)
        for (int k = 0; k < 4; ++k) if (b + k < n) out[b + k] = v[k + 1];
}
