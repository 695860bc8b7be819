// finds: nothing
// launch: grid=2, block=64, args=[ramp(128), empty(128)]

// All threads of a block read the same word.
__global__ void shared_broadcast(const float* in, float* out)
{
    __shared__ float first;
    int i = threadIdx.x + blockDim.x * blockIdx.x;

    if (threadIdx.x == 0) first = in[i];
    __syncthreads();
    out[i] = first;
}
