// finds: nothing; without barrier 1: Race
// launch: grid=4, block=256, args=[ramp(1000), empty(1000), 1000], shared_mem=1024

// Adds to each element its right neighbor in the block, and to the last one the first.
__global__ void neighbor_update(const float* in, float* out, int n)
{
    extern __shared__ float tile[];  // one element for each thread of the block
    int t = threadIdx.x, first = blockDim.x * blockIdx.x;
    int here = min((int)blockDim.x, n - first);  // elements of this block

    if (t < here) tile[t] = in[first + t];
    __syncthreads();  // barrier 1: the neighbor is there before it is read
    if (t < here) out[first + t] = tile[t] + tile[(t + 1) % here];
}
