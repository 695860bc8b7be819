// finds: nothing; without barrier 1: Race
// launch: grid=1, block=128, args=[ramp(128), empty(128), 32]

// Rotates 128 elements to the left by `shift` places.
__global__ void rotate(const float* in, float* out, int shift)
{
    __shared__ float tile[128];
    int t = threadIdx.x;

    tile[t] = in[t];
    __syncthreads();  // barrier 1: all have written, now they may read
    out[t] = tile[(t + shift) % 128];
}
