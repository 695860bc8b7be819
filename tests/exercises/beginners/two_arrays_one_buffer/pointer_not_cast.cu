%%values two_arrays_one_buffer
# n: items    t: threads of a block
grid = ceil_div(n, t)
block = t
shared_mem = 9 * t

%%cuda two_arrays_one_buffer
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
    value_of = buffer;
    step_of = buffer + 8 * blockDim.x;

    // 1. Copy this thread's item.
    if (i < n) {
        value_of[t] = value[i];
        step_of[t] = step[i];
    }
    __syncthreads();

    // 2. Go two steps, and store the value.
    out[i] = value_of[step_of[step_of[t]]];
}
