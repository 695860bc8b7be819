// rejected by: uses_handed_over
// "A register is nearer than shared memory." It is; and it holds what its own thread has read, and nothing else.
// Each block reverses its piece of d, blockDim.x numbers, in place. The last piece may be shorter.
__global__ void reverse_static(int* d, int n)
{
    int t = threadIdx.x;
    int start = blockIdx.x * blockDim.x;            // where this block's piece begins
    int count = min((int)blockDim.x, n - start);    // how many numbers are in it

    int mine = t < count ? d[start + count - 1 - t] : 0;
    __syncthreads();    // everyone must have read before anyone writes
    if (t < count)
        d[start + t] = mine;
}
