// finds: nothing
// launch: grid=2, block=48, args=[ramp(96)], shared_mem=192

// Rotates each block's elements by half a block, for blocks of any even size.
__global__ void turn_block(float* d)
{
    extern __shared__ float tile[];  // as long as the launch says
    int t = threadIdx.x, size = blockDim.x;
    int i = t + size * blockIdx.x;

    tile[t] = d[i];
    __syncthreads();                 // all have written tile, now they may read it
    d[i] = tile[(t + size / 2) % size];
}
