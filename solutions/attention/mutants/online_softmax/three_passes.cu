// rejected by: loads_at_most
// perhaps also: shares_the_work
// The largest score, the sum of the weights, and the result, each in a pass of its own.
// out[row] = the mean of v with the weights exp(x[row][j] - the row's largest). blockDim.x is a multiple of 32.
__global__ void online_softmax(const float* x, const float* v, float* out, int rows, int n)
{
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (row >= rows)
        return;
    float top = -INFINITY, weights = 0.0f, weighted = 0.0f;
    for (int j = lane; j < n; j += 32)
        top = fmaxf(top, x[row * n + j]);
    for (int d = 16; d > 0; d /= 2)
        top = fmaxf(top, __shfl_xor_sync(0xffffffff, top, d));
    for (int j = lane; j < n; j += 32)
        weights += expf(x[row * n + j] - top);
    for (int d = 16; d > 0; d /= 2)
        weights += __shfl_xor_sync(0xffffffff, weights, d);
    for (int j = lane; j < n; j += 32)
        weighted += expf(x[row * n + j] - top) / weights * v[j];
    for (int d = 16; d > 0; d /= 2)
        weighted += __shfl_xor_sync(0xffffffff, weighted, d);
    if (lane == 0)
        out[row] = weighted;
}
