// rejected by: uses_shared_memory
// perhaps also: shares_the_work
// "Each thread exchanges two numbers, so none has to wait." Right, and no shared memory is asked for.
// Each block reverses one row of d in place; a row has w elements.
__global__ void reverse_dynamic(double* d, int w)
{
    int start = blockIdx.x * w;

    for (int column = threadIdx.x; column < w / 2; column += blockDim.x) {
        double kept = d[start + column];
        d[start + column] = d[start + w - 1 - column];
        d[start + w - 1 - column] = kept;
    }
}
