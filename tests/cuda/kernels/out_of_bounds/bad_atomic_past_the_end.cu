// kernel: count   grid: 1   block: 64
// args: in uint8[64] random, hist uint32[40] zeros
// expect: OutOfBounds lines=1 array=hist space=global action=atomic
__global__ void count(const unsigned char* in, unsigned* hist)
{
    atomicAdd(&hist[in[threadIdx.x]], 1u);        // (1)
}
