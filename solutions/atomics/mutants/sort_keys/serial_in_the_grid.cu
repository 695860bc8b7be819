// rejected by: shares_the_work
// perhaps also: has_no_races, reaches_every_barrier, global_atomics_at_most, loads_at_most
// One thread sorts all keys, and needs no atomics.
// Puts the n keys into sorted, key k from place next[k] on, and raises next[k] by how many there are. A -1 is no key.
__global__ void sort_keys(const int* keys, int* next, int* sorted, int n)
{
    int first = blockIdx.x * blockDim.x + threadIdx.x;
    int stride = gridDim.x * blockDim.x;

    if (first == 0)
        for (int i = 0; i < n; ++i)
            if (keys[i] >= 0)
                sorted[next[keys[i]]++] = keys[i];
}
