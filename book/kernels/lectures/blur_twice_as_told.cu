// finds: OutOfBounds
// launch: for n in (150, 132): grid=3, block=64, args=[numbers('float64', n), zeros('float64', n), n], shared_mem=8 * (64 + 4)

// As the lecture has it.
__global__ void blur_twice_as_told(const double* in, double* out, int n)
{
    extern __shared__ double buffer[];
    auto block_start = blockDim.x * blockIdx.x;
    auto block_end = block_start + blockDim.x;
    auto lid = threadIdx.x + 2;
    auto gid = lid + block_start;
    auto blur = [](int pos, const double* field) {
        return 0.25 * (field[pos - 1] + 2.0 * field[pos] + field[pos + 1]);
    };

    if (gid < n - 2) {
        buffer[lid] = blur(gid, in);
        if (threadIdx.x == 0) {
            buffer[1] = blur(block_start + 1, in);
            buffer[blockDim.x + 2] = blur(block_end + 2, in);
        }
    }
    __syncthreads();
    if (gid < n - 2) {
        out[gid] = blur(lid, buffer);
    }
}
