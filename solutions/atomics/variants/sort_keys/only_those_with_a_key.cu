// A vote among all says who has a key, and these compare theirs. The highest lane asks.
// Puts the n keys into sorted, key k from place next[k] on, and raises next[k] by how many there are. A -1 is no key.
__global__ void sort_keys(const int* keys, int* next, int* sorted, int n)
{
    int first = blockIdx.x * blockDim.x + threadIdx.x;
    int stride = gridDim.x * blockDim.x;

    int lane = threadIdx.x % 32;

    for (int i = first; i < n; i += stride) {
        int key = keys[i];
        unsigned some = __ballot_sync(0xffffffff, key >= 0);
        if (key < 0)
            continue;
        unsigned same = __match_any_sync(some, key);
        int highest = 31 - __clz(same), count = __popc(same), begin;
        if (lane == highest)
            begin = atomicAdd(next + key, count);
        begin = __shfl_sync(same, begin, highest);
        sorted[begin + count - 1 - __popc(same >> lane >> 1)] = key;
    }
}
