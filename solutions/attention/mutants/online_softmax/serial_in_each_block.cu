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
        float top = -INFINITY, weights = 0.0f, weighted = 0.0f;
        for (int j = 0; j < n; ++j) {
            float score = x[row * n + j], before = top;
            top = fmaxf(top, score);
            float correction = expf(before - top), weight = expf(score - top);
            weights = weights * correction + weight;
            weighted = weighted * correction + weight * v[j];
        }
        out[row] = weighted / weights;
    }
}
