// finds: nothing
// launch: grid=2, block=64, args=[ramp(128), shuffled(128), empty(128)]

// out[i] = in[from[i]]: a list says which element each thread loads.
__global__ void gather(const float* in, const int* from, float* out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    int place = from[i];      // load the place
    float value = in[place];  // load: wherever that is
    out[i] = value;           // store
}
