// finds: nothing
// launch: grid=4, block=64, args=[numbers('float32', 256), empty_int(256), 256]

// For each element of x, how many are smaller? n is a multiple of 64.
__global__ void ranks_direct(const float* x, int* rank, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float mine = x[i];
    int smaller = 0;

    for (int k = 0; k < n; ++k)
        smaller += x[k] < mine;  // every thread, every element
    rank[i] = smaller;
}
