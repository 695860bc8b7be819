// finds: nothing; without barrier 1: Race
// launch: grid=3, block=64, args=[numbers('float64', 150), zeros('float64', 150), 150], shared_mem=8 * (64 + 4)

__device__ double blurred(int pos, const double* field)
{
    return 0.25 * (field[pos - 1] + 2.0 * field[pos] + field[pos + 1]);
}

// Two blurs in one launch, for elements 2 to n - 3, for any n.
__global__ void blur_twice(const double* in, double* out, int n)
{
    extern __shared__ double buffer[];  // blockDim.x + 4 elements, of which two are not used
    int lid = threadIdx.x + 2, gid = lid + blockDim.x * blockIdx.x;

    if (gid < n - 2) {
        buffer[lid] = blurred(gid, in);
        if (threadIdx.x == 0) buffer[1] = blurred(gid - 1, in);
        // The last thread with an element, which need not be the block's last, blurs its neighbor's, too.
        if (threadIdx.x == blockDim.x - 1 || gid == n - 3) buffer[lid + 1] = blurred(gid + 1, in);
    }
    __syncthreads();  // barrier 1: the first blur is whole
    if (gid < n - 2) {
        out[gid] = blurred(lid, buffer);
    }
}
