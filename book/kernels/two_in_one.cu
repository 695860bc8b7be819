// finds: nothing
// launch: grid=1, block=40, args=[ramp(40), numbers("int16", 40), empty(40)], shared_mem=240

// Two arrays in one piece of dynamic shared memory.
__global__ void weigh(const float* in, const short* weight, float* out)
{
    extern __shared__ __align__(16) unsigned char buffer[];
    float* values = (float*)buffer;                      // from byte 0
    short* weights = (short*)(buffer + 4 * blockDim.x);  // after the last value
    int t = threadIdx.x, other = blockDim.x - 1 - t;

    values[t] = in[t];
    weights[t] = weight[t];
    __syncthreads();  // what another thread has copied is read
    out[t] = values[other] * weights[other];
}
