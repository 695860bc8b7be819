// finds: nothing
// launch: grid=2, block=64, args=[ramp(1024), numbers('int32', 128), empty(128)]

// An array of the thread's own, indexed at run time: local memory, which is counted apart.
__global__ void local_array(const float* in, const int* which, float* out)
{
    float mine[8];
    int i = threadIdx.x + blockDim.x * blockIdx.x;

    for (int k = 0; k < 8; ++k)
        mine[k] = in[k * 128 + i];
    out[i] = mine[which[i] % 8];
}
