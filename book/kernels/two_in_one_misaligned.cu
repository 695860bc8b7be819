// finds: MisalignedAccess
// launch: grid=1, block=39, args=[ramp(39), numbers("int16", 39), empty(39)], shared_mem=234

// Two arrays in one piece of dynamic shared memory.
__global__ void weigh(const float* in, const short* weight, float* out)
{
    extern __shared__ __align__(16) unsigned char buffer[];
    float* values = (float*)(buffer + 2 * blockDim.x);   // after the last weight
    short* weights = (short*)buffer;                     // from byte 0
    int t = threadIdx.x, other = blockDim.x - 1 - t;

    values[t] = in[t];
    weights[t] = weight[t];
    __syncthreads();  // what another thread has copied is read
    out[t] = values[other] * weights[other];
}
