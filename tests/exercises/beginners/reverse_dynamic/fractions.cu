%%values reverse_dynamic
# h: rows    w: columns, the length of a row    t: threads of a block
grid = h * w / t
block = t
shared_mem = w * 8

%%cuda reverse_dynamic
// Each block reverses one row of d in place; a row has w elements.
__global__ void reverse_dynamic(double* d, int w)
{
    int t = threadIdx.x;

    // Declare the array in shared memory, and find out where this block's row begins in d.
    extern __shared__ double row[];
    double* mine = d + blockIdx.x * w;

    // 1. Copy the row to shared memory.
    for (int c = t; c < w; c += blockDim.x)
        row[c] = mine[c];
    __syncthreads();

    // 2. Write it back in the opposite order.
    for (int c = t; c < w; c += blockDim.x)
        mine[c] = row[w - 1 - c];
}
