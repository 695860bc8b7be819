// rejected by: does_without_static_shared_memory
// perhaps also: shares_the_work
// "No block has more than 1024 threads." Two arrays, two declarations: nothing to cut, and room for 1024 in each block.
// out[i] = the value that two steps, from item i on, lead to. The steps of a block stay in its piece.
__global__ void two_arrays_one_buffer(const double* value, const unsigned char* step, double* out, int n)
{
    __shared__ double value_of[1024];
    __shared__ unsigned char step_of[1024];
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;
    int count = min((int)blockDim.x, n - (i - t));      // items of this block's piece

    if (i < n) {
        value_of[t] = value[i];
        step_of[t] = step[i];
    }
    __syncthreads();
    if (i < n) {
        int place = (t + step_of[t]) % count;
        place = (place + step_of[place]) % count;
        out[i] = value_of[place];
    }
}
