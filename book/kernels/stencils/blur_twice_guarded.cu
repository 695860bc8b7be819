// finds: UninitializedRead
// launch: grid=3, block=64, args=[numbers('float64', 150), zeros('float64', 150), 150], shared_mem=8 * (64 + 4)

// The lecture's fused kernel with a guard for the reads past the end of the row.
__global__ void blur_twice_guarded(const double* in, double* out, int n)
{
    extern __shared__ double buffer[];
    int block_start = blockDim.x * blockIdx.x, block_end = block_start + blockDim.x;
    int lid = threadIdx.x + 2, gid = lid + block_start;
    auto blur = [](int pos, const double* field) {
        return 0.25 * (field[pos - 1] + 2.0 * field[pos] + field[pos + 1]);
    };

    if (gid < n - 2) {
        buffer[lid] = blur(gid, in);
        if (threadIdx.x == 0) {
            buffer[1] = blur(block_start + 1, in);
            if (block_end + 3 < n) buffer[blockDim.x + 2] = blur(block_end + 2, in);
        }
    }
    __syncthreads();
    if (gid < n - 2)
        out[gid] = blur(lid, buffer);
}
