// rejected by: global_atomics_at_most
// perhaps also: loads_at_most, uses_shared_memory
// "Atomics make it right, so what is the shared memory for?"
// bins[v] = how often v occurs among the n values.
__global__ void histogram_shared(const unsigned char* values, unsigned int* bins, int n)
{
    int stride = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
        atomicAdd(&bins[values[i]], 1u);
}
