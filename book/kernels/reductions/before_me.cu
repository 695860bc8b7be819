// finds: nothing; without barrier 1: Race; without barrier 2: Race
// launch: for block in (64, 4): grid=1, block=block, args=[ramp(2 * block), empty(2 * block)], shared_mem=8 * block

// out[i] = the sum of the block's elements before i: two for each thread.
// blockDim.x is a power of 2.
__global__ void before_me(const float* in, float* out)
{
    extern __shared__ float tree[];  // 2 * blockDim.x elements
    int t = threadIdx.x, size = 2 * blockDim.x, first = size * blockIdx.x;

    tree[t] = in[first + t];
    tree[t + blockDim.x] = in[first + t + blockDim.x];
    for (int span = 1; span < size; span *= 2) {
        __syncthreads();  // barrier 1: the sums of span elements are there
        int end = 2 * span * (t + 1) - 1;
        if (end < size) tree[end] += tree[end - span];  // up
    }
    if (t == 0) tree[size - 1] = 0.0f;  // nothing is before the whole
    for (int span = size / 2; span > 0; span /= 2) {
        __syncthreads();  // barrier 2: larger parts know what is before
        int end = 2 * span * (t + 1) - 1;
        if (end < size) {
            float left = tree[end - span];
            tree[end - span] = tree[end];  // before the left half: the same
            tree[end] += left;             // before the right half: plus left
        }
    }
    __syncthreads();  // all sums are there
    out[first + t] = tree[t];
    out[first + t + blockDim.x] = tree[t + blockDim.x];
}
