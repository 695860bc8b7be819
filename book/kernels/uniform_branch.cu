// finds: nothing
// launch: grid=2, block=128, args=[ramp(256), empty(256)]

// Rotates the first 128 elements by 32 places and copies the others.
__global__ void rotate_first_block(const float* in, float* out)
{
    __shared__ float tile[128];
    int t = threadIdx.x;

    if (blockIdx.x == 0) {  // the same for all threads of a block
        tile[t] = in[t];
        __syncthreads();
        out[t] = tile[(t + 32) % 128];
    } else {
        out[128 * blockIdx.x + t] = in[128 * blockIdx.x + t];
    }
}
