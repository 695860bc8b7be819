// finds: nothing
// launch: for counters in (1, 32): grid=2, block=64, args=[zeros('int32', 256), counters, 1, 4]

// Each thread adds `rounds` times to one of `counters` counters (a
// power of 2), which lie `apart` elements apart.
__global__ void add_to_some(int* counts, int counters, int apart, int rounds)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    for (int round = 0; round < rounds; ++round)
        atomicAdd(&counts[((i + round) & (counters - 1)) * apart], 1);
}
