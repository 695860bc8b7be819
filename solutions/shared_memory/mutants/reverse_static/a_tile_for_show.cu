// rejected by: uses_handed_over
// Each block reverses its piece of d, blockDim.x numbers, in place. The last piece may be shorter.
__global__ void reverse_static(int* d, int n)
{
    int t = threadIdx.x;
    int start = blockIdx.x * blockDim.x;            // where this block's piece begins
    int count = min((int)blockDim.x, n - start);    // how many numbers are in it

    __shared__ int tile[256];
    tile[t] = t;                                    // there is one,

    int kept = t < count ? d[start + count - 1 - t] : 0;    // but the numbers wait in registers
    __syncthreads();
    if (t < count)
        d[start + t] = kept + 0 * tile[t];
}
