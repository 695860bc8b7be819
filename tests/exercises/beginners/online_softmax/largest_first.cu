%%cuda online_softmax
// out[row] = the mean of v with the weights exp(x[row][j] - the row's largest). blockDim.x is a multiple of 32.
__global__ void online_softmax(const float* x, const float* v, float* out, int rows, int n)
{
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    float top = -INFINITY;                  // of the scores that this lane has seen so far
    float weights = 0.0f, weighted = 0.0f;  // of the weights, and of weight * value, relative to that score

    // 1. One pass over the row: this lane's scores and values.
    if (row >= rows)
        return;                             // a whole warp, so nobody waits for its lanes
    for (int j = lane; j < n; j += 32)
        top = fmaxf(top, x[row * n + j]);
    for (int d = 16; d > 0; d /= 2)
        top = fmaxf(top, __shfl_xor_sync(0xffffffff, top, d));
    for (int j = lane; j < n; j += 32) {
        weights += expf(x[row * n + j] - top);
        weighted += expf(x[row * n + j] - top) * v[j];
    }

    // 2. Join what the 32 lanes have found, and store the row's result.
    for (int d = 16; d > 0; d /= 2) {
        weights += __shfl_xor_sync(0xffffffff, weights, d);
        weighted += __shfl_xor_sync(0xffffffff, weighted, d);
    }
    if (lane == 0)
        out[row] = weighted / weights;
}
