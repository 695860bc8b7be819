// rejected by: stays_in_bounds
// perhaps also: matches_numpy, has_no_races, global_atomics_at_most
// "atomicCAS takes 64 bits as well, and more bits are more exact." The number at the address has 32.
// Raises *address to value, if that is larger. seen was there a moment ago.
__device__ void atomic_max_float(float* address, float value, float seen)
{
    int* bits = (int*)address;

    while (value > seen) {
        unsigned long long old = __float_as_uint(seen);
        unsigned long long found = atomicCAS((unsigned long long*)bits, old, (unsigned long long)__float_as_uint(value));
        if (found == old)
            break;                              // it was up to date, so value is there now
        seen = __uint_as_float((unsigned int)found);    // somebody came between: is value still larger?
    }
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
