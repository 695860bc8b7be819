// A group of those with a key, divided by their keys. All lanes meet first, so that nobody is missing.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

// Puts the n keys into sorted, key k from place next[k] on, and raises next[k] by how many there are. A -1 is no key.
__global__ void sort_keys(const int* keys, int* next, int* sorted, int n)
{
    int first = blockIdx.x * blockDim.x + threadIdx.x;
    int stride = gridDim.x * blockDim.x;

    auto warp = cg::tiled_partition<32>(cg::this_thread_block());

    for (int piece = first / 32 * 32; piece < n; piece += stride) {  // all lanes of a warp make all rounds
        int i = piece + warp.thread_rank();
        int key = i < n ? keys[i] : -1;
        auto same = cg::labeled_partition(warp, key);
        if (key >= 0) {
            int place = 0;
            if (same.thread_rank() == 0)
                place = atomicAdd(&next[key], (int)same.size());
            sorted[same.shfl(place, 0) + same.thread_rank()] = key;
        }
    }
}
