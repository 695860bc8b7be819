// rejected by: global_atomics_at_most
// The loop that was given.
// Puts the n keys into sorted, key k from place next[k] on, and raises next[k] by how many there are. A -1 is no key.
__global__ void sort_keys(const int* keys, int* next, int* sorted, int n)
{
    int first = blockIdx.x * blockDim.x + threadIdx.x;
    int stride = gridDim.x * blockDim.x;

    for (int i = first; i < n; i += stride) {
        int key = keys[i];
        if (key >= 0) {
            int place = atomicAdd(&next[key], 1);
            sorted[place] = key;
        }
    }
}
