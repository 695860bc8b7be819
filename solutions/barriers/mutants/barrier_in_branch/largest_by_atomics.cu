// rejected by: does_without_atomics_lane_exchanges
// "One atomic each, and no rounds." The threads take turns at one element, and the rounds with their barriers are gone.
// out[b] = the largest of block b's numbers, without their signs. blockDim.x is a power of 2.
__global__ void largest_of_block(const int* in, int* out, int n)
{
    extern __shared__ int best[];       // blockDim.x elements
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;

    if (t == 0)
        best[0] = 0;
    __syncthreads();
    if (i < n)
        atomicMax(&best[0], abs(in[i]));
    __syncthreads();
    if (t == 0)
        out[blockIdx.x] = best[0];
}
