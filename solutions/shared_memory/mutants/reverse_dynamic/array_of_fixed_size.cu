// rejected by: does_without_static_shared_memory
// perhaps also: shares_the_work
// "No row is longer than 2000." None that is tried is; and a row of 5 takes as much of the GPU as one of 2000.
// Each block reverses one row of d in place; a row has w elements.
__global__ void reverse_dynamic(double* d, int w)
{
    __shared__ double kept[2000];
    int t = threadIdx.x;
    int start = blockIdx.x * w;

    for (int column = t; column < w; column += blockDim.x)
        kept[column] = d[start + column];
    __syncthreads();
    for (int column = t; column < w; column += blockDim.x)
        d[start + column] = kept[w - 1 - column];
}
