// Turns the piece around on its way into the tile.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void reverse_static(int* d, int n)
{
    __shared__ int tile[256];
    cg::thread_block block = cg::this_thread_block();
    int t = block.thread_rank();
    int start = blockIdx.x * block.size();
    int count = min((int)block.size(), n - start);

    if (t < count)
        tile[count - 1 - t] = d[start + t];
    block.sync();
    if (t < count)
        d[start + t] = tile[t];
}
