// rejected by: is_coalesced
// perhaps also: shares_the_work
// "The value is needed once, so why keep it?" Where the steps lead, neighbors are far apart.
// out[i] = the value that two steps, from item i on, lead to. The steps of a block stay in its piece.
__global__ void two_arrays_one_buffer(const double* value, const unsigned char* step, double* out, int n)
{
    extern __shared__ __align__(16) unsigned char buffer[];
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;
    int count = min((int)blockDim.x, n - (i - t));      // items of this block's piece

    // Cut the buffer in two: value_of for the block's values, step_of for its steps.
    double* value_of;
    unsigned char* step_of;
    value_of = (double*)buffer;             // the wider type first: it begins at a multiple of 16
    step_of = buffer + 8 * blockDim.x;      // a byte may begin anywhere

    // 1. Copy this thread's item.
    if (i < n) {
        step_of[t] = step[i];
    }
    __syncthreads();    // all items of the piece must be there before anyone goes a step

    // 2. Go two steps, and store the value.
    if (i < n) {
        int place = (t + step_of[t]) % count;
        place = (place + step_of[place]) % count;
        out[i] = value[i - t + place];
    }
}
