// rejected by: shares_the_work
// perhaps also: global_atomics_at_most, loads_at_most
// One lane does all for its warp, and needs no other one. (Equal keys in a row take one atomic.)
// Puts the n keys into sorted, key k from place next[k] on, and raises next[k] by how many there are. A -1 is no key.
__global__ void sort_keys(const int* keys, int* next, int* sorted, int n)
{
    int first = blockIdx.x * blockDim.x + threadIdx.x;
    int stride = gridDim.x * blockDim.x;

    if (threadIdx.x % 32 != 0)
        return;

    for (int begin = first; begin < n; begin += stride) {
        unsigned left = 0;
        for (int l = 0; l < 32 && begin + l < n; ++l)
            if (keys[begin + l] >= 0)
                left |= 1u << l;
        while (left) {
            int key = keys[begin + __ffs(left) - 1], count = 0;
            for (int l = 0; l < 32 && begin + l < n; ++l)
                count += keys[begin + l] == key;
            int place = atomicAdd(&next[key], count);
            for (int l = 0; l < 32 && begin + l < n; ++l)
                if (keys[begin + l] == key) {
                    sorted[place++] = key;
                    left &= ~(1u << l);
                }
        }
    }
}
