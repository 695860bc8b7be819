// rejected by: does_without_atomics_lane_exchanges
// "The barrier knows whether anybody has a larger number." Asked once for each bit, it finds the largest.
__global__ void largest_of_block(const int* in, int* out, int n)
{
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;
    int number = i < n ? abs(in[i]) : 0;

    int largest = 0;
    for (int bit = 1 << 30; bit > 0; bit /= 2)
        if (__syncthreads_or(number >= largest + bit))
            largest += bit;
    if (t == 0)
        out[blockIdx.x] = largest;
}
