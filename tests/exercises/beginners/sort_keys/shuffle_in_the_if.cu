%%cuda sort_keys
// Puts the n keys into sorted, key k from place next[k] on, and raises next[k] by how many there are. A -1 is no key.
__global__ void sort_keys(const int* keys, int* next, int* sorted, int n)
{
    int first = blockIdx.x * blockDim.x + threadIdx.x;
    int stride = gridDim.x * blockDim.x;

    int lane = threadIdx.x % 32;

    for (int i = first; i < n; i += stride) {
        int key = keys[i];
        unsigned same = __match_any_sync(0xffffffff, key);
        if (key >= 0) {
            int lowest = __ffs(same) - 1;
            int place = 0;
            if (lane == lowest)
            {
                place = atomicAdd(&next[key], __popc(same));
                place = __shfl_sync(same, place, lowest);
            }
            sorted[place + __popc(same & ((1u << lane) - 1))] = key;
        }
    }
}
