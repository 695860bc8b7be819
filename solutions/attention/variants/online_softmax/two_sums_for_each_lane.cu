// Two sets of sums for each lane, which do not wait for each other.
// out[row] = the mean of v with the weights exp(x[row][j] - the row's largest). blockDim.x is a multiple of 32.

__device__ __forceinline__ void take(float score, float value, float& top, float& weights, float& weighted)
{
    float larger = fmaxf(top, score);
    float correction = expf(top - larger), weight = expf(score - larger);
    weights = weights * correction + weight;
    weighted = weighted * correction + weight * value;
    top = larger;
}

__global__ void online_softmax(const float* x, const float* v, float* out, int rows, int n)
{
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    // Two chains that do not wait for each other, for every other element of this lane.
    float top0 = -INFINITY, weights0 = 0.0f, weighted0 = 0.0f;
    float top1 = -INFINITY, weights1 = 0.0f, weighted1 = 0.0f;
    if (row >= rows)
        return;

    // 1. One pass over the row: this lane's scores and values.
    const float* scores = x + row * n;
    int j = lane;
    for (; j + 32 < n; j += 64) {
        take(scores[j], v[j], top0, weights0, weighted0);
        take(scores[j + 32], v[j + 32], top1, weights1, weighted1);
    }
    if (j < n)
        take(scores[j], v[j], top0, weights0, weighted0);

    // 2. Join the chains and the lanes. The largest score is finite, since a row has at least one element.
    float largest = fmaxf(top0, top1);
    for (int offset = 16; offset > 0; offset >>= 1)
        largest = fmaxf(largest, __shfl_xor_sync(0xffffffff, largest, offset));
    float c0 = expf(top0 - largest), c1 = expf(top1 - largest);
    float weights = weights0 * c0 + weights1 * c1;
    float weighted = weighted0 * c0 + weighted1 * c1;
    for (int offset = 16; offset > 0; offset >>= 1) {
        weights += __shfl_xor_sync(0xffffffff, weights, offset);
        weighted += __shfl_xor_sync(0xffffffff, weighted, offset);
    }
    if (lane == 0)
        out[row] = weighted / weights;
}
