// rejected by: uses_handed_over
// "Without the tile, nothing comes out." True: each number is multiplied by a 1 that another thread has put there.
// Each block reverses its piece of d, blockDim.x numbers, in place. The last piece may be shorter.
__global__ void reverse_static(int* d, int n)
{
    int t = threadIdx.x;
    int start = blockIdx.x * blockDim.x;            // where this block's piece begins
    int count = min((int)blockDim.x, n - start);    // how many numbers are in it

    __shared__ int tile[256];
    tile[t] = 1;

    int kept = t < count ? d[start + t] : 0;
    __syncthreads();
    if (t < count)
        d[start + count - 1 - t] = kept * tile[t ^ 1];
}
