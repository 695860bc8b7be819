// finds: BarrierDivergence
// launch: name="blur_shared_block_as_told<130>", grid=1, block=128, args=[numbers('float64', 128), zeros('float64', 128), 128]

// As the lecture has it: the barrier stands in the guard.
template <int BSIZE>
__global__ void blur_shared_block_as_told(const double* in, double* out, int n)
{
    __shared__ double buffer[BSIZE];
    int i = threadIdx.x + 1;

    if (i < n - 1) {
        buffer[i] = in[i];
        if (i == 1) {
            buffer[0] = in[0];
            buffer[n - 1] = in[n - 1];
        }
        __syncthreads();  // for 126 of 128 threads
        out[i] = 0.25 * (buffer[i - 1] + 2.0 * buffer[i] + buffer[i + 1]);
    }
}
