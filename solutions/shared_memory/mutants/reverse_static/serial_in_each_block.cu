// rejected by: shares_the_work
// "One thread of each block does it all: then nobody comes in its way."
// Each block reverses its piece of d, blockDim.x numbers, in place. The last piece may be shorter.
__global__ void reverse_static(int* d, int n)
{
    int start = blockIdx.x * blockDim.x;            // where this block's piece begins
    int count = min((int)blockDim.x, n - start);    // how many numbers are in it

    if (threadIdx.x > 0)
        return;
    for (int t = 0; t < count / 2; ++t) {
        int kept = d[start + t];
        d[start + t] = d[start + count - 1 - t];
        d[start + count - 1 - t] = kept;
    }
}
