// rejected by: uses_shared_memory
// perhaps also: shares_the_work
// Each block reverses one row of d in place; a row has w elements.
__global__ void reverse_dynamic(double* d, int w)
{
    extern __shared__ double kept[];
    double* row = d + blockIdx.x * w;

    // Exchanges the two halves in global memory, and leaves a number in kept, where nobody looks.
    for (int left = threadIdx.x; left < w / 2; left += blockDim.x) {
        double first = row[left];
        kept[left] = first;
        row[left] = row[w - 1 - left];
        row[w - 1 - left] = first;
    }
}
