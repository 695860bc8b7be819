// finds: nothing; without barrier 1: Race
// launch: grid=2, block=64, args=[ramp(128)]

// Rotates the elements of each block by half a block, in place.
__global__ void turn_block(float* d)
{
    __shared__ float tile[64];
    int t = threadIdx.x;
    int i = t + blockDim.x * blockIdx.x;

    tile[t] = d[i];
    __syncthreads();  // barrier 1: all have written tile, now they may read it
    d[i] = tile[(t + 32) % 64];
}
