// finds: nothing; without barrier 1: Race
// launch: grid=3, block=64, args=[numbers('float64', 150), zeros('float64', 150), 150], shared_mem=8 * (64 + 2)

// L2: the blur for any n, with dynamic shared memory. Global indices for in and out, the block's own for buffer.
__global__ void blur_shared(const double* in, double* out, int n)
{
    extern __shared__ double buffer[];  // blockDim.x + 2 elements
    int lid = threadIdx.x + 1, gid = lid + blockDim.x * blockIdx.x;
    bool works = gid < n - 1;

    if (works) {
        buffer[lid] = in[gid];
        if (threadIdx.x == 0) buffer[0] = in[gid - 1];
        // The last thread that works, of the block or of the row.
        if (threadIdx.x == blockDim.x - 1 || gid == n - 2) buffer[lid + 1] = in[gid + 1];
    }
    __syncthreads();  // barrier 1: the neighbors have loaded theirs
    if (works) {
        out[gid] = 0.25 * (buffer[lid - 1] + 2.0 * buffer[lid] + buffer[lid + 1]);
    }
}
