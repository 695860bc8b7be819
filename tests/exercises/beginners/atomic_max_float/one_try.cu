%%cuda atomic_max_float
// Raises *address to value, if that is larger. seen was there a moment ago.
__device__ void atomic_max_float(float* address, float value, float seen)
{
    int* bits = (int*)address;

    if (value > seen)
        atomicCAS(bits, __float_as_int(seen), __float_as_int(value));
}

// best[g] = the largest of what is there and the values of group g.
__global__ void largest_of_group(const float* values, const int* group, float* best, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float* mine = i < n ? &best[group[i]] : best;
    float seen = __int_as_float(atomicOr((int*)mine, 0));       // an atomic look: an or with 0 changes nothing

    __syncthreads();
    if (i < n)
        atomic_max_float(mine, values[i], seen);
}
