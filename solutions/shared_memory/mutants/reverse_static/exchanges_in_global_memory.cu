// rejected by: uses_handed_over
// perhaps also: shares_the_work
// "The first half of the threads exchanges two numbers each." Right, and it needs no tile: that is reverse_without_barrier.
// Each block reverses its piece of d, blockDim.x numbers, in place. The last piece may be shorter.
__global__ void reverse_static(int* d, int n)
{
    int t = threadIdx.x;
    int start = blockIdx.x * blockDim.x;            // where this block's piece begins
    int count = min((int)blockDim.x, n - start);    // how many numbers are in it
    int other = count - 1 - t;

    if (t < other) {
        int kept = d[start + t];
        d[start + t] = d[start + other];
        d[start + other] = kept;
    }
}
