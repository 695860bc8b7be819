// rejected by: shares_the_work
// perhaps also: is_coalesced
// One thread of each block goes through the block's rows: then there is nothing to join.
// out[row] = the mean of v with the weights exp(x[row][j] - the row's largest). blockDim.x is a multiple of 32.
__global__ void online_softmax(const float* x, const float* v, float* out, int rows, int n)
{
    if (threadIdx.x > 0)
        return;
    int first = blockIdx.x * (blockDim.x / 32);
    for (int row = first; row < first + blockDim.x / 32 && row < rows; ++row) {
        float largest = -INFINITY, weights = 0.0f, sum = 0.0f;
        for (int j = 0; j < n; ++j) {
            float score = x[row * n + j], before = largest;
            largest = fmaxf(largest, score);
            float correction = expf(before - largest), weight = expf(score - largest);
            weights = weights * correction + weight;
            sum = sum * correction + weight * v[j];
        }
        out[row] = sum / weights;
    }
}
