// rejected by: has_no_races
// perhaps also: matches_numpy
// "Each round has its barrier." The first one needs one before it.
// out[w] = the sum of the 32 numbers of warp w, counted through all blocks.
__global__ void sums_of_warps(const int* in, int* out, int n)
{
    extern __shared__ int part[];       // blockDim.x elements
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;
    int lane = t % 32;

    part[t] = i < n ? in[i] : 0;

    // Place A
    // None needed: each thread wrote its own element.
    for (int half = 16; half > 0; half /= 2) {
        if (lane < half) {
            part[t] += part[t + half];

            // Place B
            // None belongs here: only the first lanes come by, and it waits for all 32.
        }

        // Place C
        __syncwarp();       // the next round reads what this one wrote
    }
    if (lane == 0)
        out[i / 32] = part[t];
}
