// kernel: votes   grid: 1   block: 32
// args: out uint32[32] zeros
// expect: InvalidWarpMask lines=1 lane=8 mask=255
__global__ void votes(unsigned* out)
{
    unsigned low = __ballot_sync(0xffffffffu, threadIdx.x < 8);
    if (threadIdx.x < 16)  // twice as many as the mask names
        out[threadIdx.x] = __ballot_sync(low, 1); // (1)
}
