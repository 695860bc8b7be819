// rejected by: shares_the_work
// "One thread of each block does it all: then nobody comes in its way."
// out[i] = the value that two steps, from item i on, lead to. The steps of a block stay in its piece.
__global__ void two_arrays_one_buffer(const double* value, const unsigned char* step, double* out, int n)
{
    extern __shared__ __align__(16) unsigned char buffer[];
    int first = blockIdx.x * blockDim.x;
    int count = min((int)blockDim.x, n - first);        // items of this block's piece
    double* value_of = (double*)buffer;
    unsigned char* step_of = buffer + 8 * blockDim.x;

    if (threadIdx.x > 0)
        return;
    for (int t = 0; t < count; ++t) {
        value_of[t] = value[first + t];
        step_of[t] = step[first + t];
    }
    for (int t = 0; t < count; ++t) {
        int place = (t + step_of[t]) % count;
        place = (place + step_of[place]) % count;
        out[first + t] = value_of[place];
    }
}
