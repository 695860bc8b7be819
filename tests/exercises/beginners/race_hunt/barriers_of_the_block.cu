%%cuda sums_of_warps
// out[w] = the sum of the 32 numbers of warp w, counted through all blocks.
__global__ void sums_of_warps(const int* in, int* out, int n)
{
    extern __shared__ int part[];       // blockDim.x elements
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;
    int lane = t % 32;

    part[t] = i < n ? in[i] : 0;

    // Place A
    __syncthreads();
    for (int half = 16; half > 0; half /= 2) {
        if (lane < half) {
            part[t] += part[t + half];

            // Place B
        }

        // Place C
        __syncthreads();
    }
    if (lane == 0)
        out[i / 32] = part[t];
}
