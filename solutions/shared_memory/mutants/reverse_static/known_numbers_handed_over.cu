// rejected by: uses_handed_over
// "It needs the tile." True: each thread adds a known number that another thread has put there, and takes it away again.
__global__ void reverse_static(int* d, int n)
{
    __shared__ int show[256];
    int t = threadIdx.x;
    int start = blockIdx.x * blockDim.x;
    int count = min((int)blockDim.x, n - start);
    int mine = t < count ? d[start + count - 1 - t] : 0;
    show[t] = 7 * t;
    __syncthreads();
    if (t < count) d[start + t] = mine + show[count - 1 - t] - 7 * (count - 1 - t);
}
