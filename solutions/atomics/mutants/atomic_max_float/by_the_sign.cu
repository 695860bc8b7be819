// rejected by: uses_compare_and_swap
// "The bits of floats are in order, by sign." They are, so two atomics for whole numbers do. No other operation is so lucky.
// Raises *address to value, if that is larger. seen was there a moment ago.
__device__ void atomic_max_float(float* address, float value, float seen)
{
    if (value <= seen)
        return;
    if (value >= 0.0f)
        atomicMax((int*)address, __float_as_int(value));
    else
        atomicMin((unsigned int*)address, __float_as_uint(value));
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
