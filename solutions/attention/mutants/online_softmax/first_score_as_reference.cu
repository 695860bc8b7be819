// rejected by: matches_numpy
// "Any score of the row may be the reference." Not if another one is much larger.
// out[row] = the mean of v with the weights exp(x[row][j] - the row's largest). blockDim.x is a multiple of 32.
__global__ void online_softmax(const float* x, const float* v, float* out, int rows, int n)
{
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    float weights = 0.0f, weighted = 0.0f;
    if (row >= rows)
        return;

    // 1. Scores of one row differ by at most 8, so exp(score - any score of the row) is at most exp(8) = 2981, and
    //    at least exp(-8): neither overflows. Take the first one as the reference, then nothing has to be corrected.
    int j = lane;
    float score = j < n ? x[row * n + j] : 0.0f;
    float top = __shfl_sync(0xffffffff, score, 0);
    while (j < n) {
        float weight = expf(score - top);
        weights += weight;
        weighted += weight * v[j];
        j += 32;
        if (j < n)
            score = x[row * n + j];
    }

    // 2. All lanes have the same reference: just add.
    for (int offset = 16; offset > 0; offset >>= 1) {
        weights += __shfl_xor_sync(0xffffffff, weights, offset);
        weighted += __shfl_xor_sync(0xffffffff, weighted, offset);
    }
    if (lane == 0)
        out[row] = weighted / weights;
}
