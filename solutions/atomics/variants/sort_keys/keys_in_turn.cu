// One key after the other: the lowest lane that is left says its key, and all lanes vote.
// Puts the n keys into sorted, key k from place next[k] on, and raises next[k] by how many there are. A -1 is no key.
__global__ void sort_keys(const int* keys, int* next, int* sorted, int n)
{
    int first = blockIdx.x * blockDim.x + threadIdx.x;
    int stride = gridDim.x * blockDim.x;

    int lane = threadIdx.x % 32;

    for (int piece = first - lane; piece < n; piece += stride) {
        int key = piece + lane < n ? keys[piece + lane] : -1;
        unsigned left = __ballot_sync(0xffffffff, key >= 0);
        while (left) {
            int lowest = __ffs(left) - 1;
            int now = __shfl_sync(0xffffffff, key, lowest);
            unsigned same = __ballot_sync(0xffffffff, key == now);
            int place = 0;
            if (lane == lowest)
                place = atomicAdd(&next[now], __popc(same));
            place = __shfl_sync(0xffffffff, place, lowest);
            if (key == now)
                sorted[place + __popc(same & ((1u << lane) - 1))] = key;
            left &= ~same;
        }
    }
}
