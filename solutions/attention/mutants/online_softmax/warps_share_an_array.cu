// rejected by: has_no_races
// perhaps also: matches_numpy
// All warps of a block put their sums into the same place.
// out[row] = the mean of v with the weights exp(x[row][j] - the row's largest). blockDim.x is a multiple of 32.
__global__ void online_softmax(const float* x, const float* v, float* out, int rows, int n)
{
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    float top = -INFINITY;                  // of the scores that this lane has seen so far
    float weights = 0.0f, weighted = 0.0f;  // of the weights, and of weight * value, relative to that score

    // 1. One pass over the row: this lane's scores and values.
    if (row >= rows)
        return;                             // a whole warp, so nobody waits for its lanes
    for (int j = lane; j < n; j += 32) {
        float score = x[row * n + j], before = top;
        top = fmaxf(top, score);
        float correction = expf(before - top), weight = expf(score - top);
        weights = weights * correction + weight;
        weighted = weighted * correction + weight * v[j];
    }

    // 2. Join what the 32 lanes have found, and store the row's result.
    float mine = top;
    for (int d = 16; d > 0; d /= 2)
        top = fmaxf(top, __shfl_xor_sync(0xffffffff, top, d));
    float correction = expf(mine - top);    // 0 for a lane with no element
    weights *= correction;
    weighted *= correction;
    __shared__ float both[2][32];
    both[0][lane] = weights;
    both[1][lane] = weighted;
    __syncwarp();
    if (lane < 2)
        for (int l = 1; l < 32; ++l)
            both[lane][0] += both[lane][l];
    __syncwarp();
    if (lane == 0)
        out[row] = both[1][0] / both[0][0];
}
