// rejected by: is_coalesced
// perhaps also: shares_the_work
// "Each thread takes a piece of the row." At each moment, the threads of a warp are far apart.
// Each block reverses one row of d in place; a row has w elements.
__global__ void reverse_dynamic(double* d, int w)
{
    extern __shared__ double kept[];
    double* row = d + blockIdx.x * w;
    int each = (w + blockDim.x - 1) / blockDim.x;
    int first = min(w, (int)threadIdx.x * each), end = min(w, first + each);
    for (int column = first; column < end; ++column)
        kept[column] = row[column];
    __syncthreads();
    for (int column = first; column < end; ++column)
        row[column] = kept[w - 1 - column];
}
