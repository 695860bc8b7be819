// rejected by: matches_numpy
// "The powers are divided by their sum, so the largest score cancels out, and a double is large enough for them." Not for exp(1000).
// out[row] = the mean of v with the weights exp(x[row][j] - the row's largest). blockDim.x is a multiple of 32.
__global__ void online_softmax(const float* x, const float* v, float* out, int rows, int n)
{
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    double weights = 0.0, weighted = 0.0;  // of the weights, and of weight * value

    // 1. One pass over the row: this lane's scores and values.
    if (row >= rows)
        return;                             // a whole warp, so nobody waits for its lanes
    for (int j = lane; j < n; j += 32) {
        double weight = exp((double)x[row * n + j]);
        weights += weight;
        weighted += weight * v[j];
    }

    // 2. Join what the 32 lanes have found, and store the row's result.
    for (int d = 16; d > 0; d /= 2) {
        weights += __shfl_xor_sync(0xffffffff, weights, d);
        weighted += __shfl_xor_sync(0xffffffff, weighted, d);
    }
    if (lane == 0)
        out[row] = (float)(weighted / weights);
}
