%%cuda reverse_static
// Each block reverses its piece of d, blockDim.x numbers, in place. The last piece may be shorter.
__global__ void reverse_static(int* d, int n)
{
    int t = threadIdx.x;
    int start = blockIdx.x * blockDim.x;            // where this block's piece begins
    int count = min((int)blockDim.x, n - start);    // how many numbers are in it

    // Declare tile: room for a block of up to 256 threads.
    __shared__ int tile[256];

    // Copy the piece to tile, and see to it that nobody writes to d too early.
    if (t < count) tile[t] = d[start + t];

    // Write to this thread's own place the number that belongs there.
    if (t < count) d[start + t] = tile[count - 1 - t];
}
