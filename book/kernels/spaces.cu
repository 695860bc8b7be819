// finds: nothing
// launch: grid=2, block=32, args=[ramp(64), empty(64)]

__constant__ const float weight[2] = {0.75f, 0.25f};  // constant memory

// Mixes each element with its neighbor in the block.
__global__ void mix(const float* in, float* out)     // both point to global memory
{
    __shared__ float tile[32];                       // shared memory: one a block
    int t = threadIdx.x;                             // a register: one a thread
    int i = t + blockDim.x * blockIdx.x;             // another register

    tile[t] = in[i];                                 // global to shared memory
    __syncthreads();                                 // wait until all have copied
    out[i] = weight[0] * tile[t] + weight[1] * tile[(t + 1) % 32];
}
