// finds: nothing; without barrier 1: Race
// launch: name="blur_shared_block<130>", grid=1, block=128, args=[numbers('float64', 128), zeros('float64', 128), 128]

// L2: the same for one block, through shared memory; n is at most BSIZE. (In L2 the barrier stands in the guard.)
template <int BSIZE>
__global__ void blur_shared_block(const double* in, double* out, int n)
{
    __shared__ double buffer[BSIZE];
    int i = threadIdx.x + 1;

    if (i < n - 1) {
        buffer[i] = in[i];
        if (i == 1) {
            buffer[0] = in[0];
            buffer[n - 1] = in[n - 1];
        }
    }
    __syncthreads();  // barrier 1: the neighbors have loaded theirs
    if (i < n - 1) {
        out[i] = 0.25 * (buffer[i - 1] + 2.0 * buffer[i] + buffer[i + 1]);
    }
}
