// rejected by: global_atomics_at_most
// "Swap in the larger of the two." Where nothing is to change, it still stands in the queue.
// Raises *address to value, if that is larger. seen was there a moment ago.
__device__ void atomic_max_float(float* address, float value, float seen)
{
    int* bits = (int*)address;

    while (true) {
        int found = atomicCAS(bits, __float_as_int(seen), __float_as_int(fmaxf(seen, value)));
        if (found == __float_as_int(seen))
            break;                              // it was up to date, so value is there now
        seen = __int_as_float(found);           // somebody came between: is value still larger?
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
