// rejected by: uses_handed_over
// "I put into my own element of tile what I will write." No number passes from one thread to another.
// Each block reverses its piece of d, blockDim.x numbers, in place. The last piece may be shorter.
__global__ void reverse_static(int* d, int n)
{
    __shared__ int tile[256];
    int t = threadIdx.x;
    int start = blockIdx.x * blockDim.x;
    int count = min((int)blockDim.x, n - start);
    if (t < count)
        tile[t] = d[start + count - 1 - t];
    __syncthreads();
    if (t < count)
        d[start + t] = tile[t];
}
