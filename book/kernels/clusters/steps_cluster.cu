// finds: nothing; without barrier 1: Race
// launch: name="cluster_steps<4>", grid=8, block=32, shared_mem=256, args=[ramp(256), empty(256), 6]

#include <cooperative_groups.h>
namespace cg = cooperative_groups;

// Any number of steps in one launch, in shared memory: a cluster has a row.
template <int BLOCKS>
__global__ void __cluster_dims__(BLOCKS, 1, 1)
    cluster_steps(const float* in, float* out, int steps)
{
    extern __shared__ float tiles[];  // two that take turns
    cg::cluster_group cluster = cg::this_cluster();
    int t = threadIdx.x, last = blockDim.x - 1;
    int i = blockIdx.x * blockDim.x + t, rank = cluster.block_rank();
    float *now = tiles, *next = tiles + blockDim.x;

    now[t] = in[i];
    cluster.sync();  // all tiles are filled
    for (int step = 0; step < steps; ++step) {
        float left = 0, right = 0;
        if (t > 0)
            left = now[t - 1];
        else if (rank > 0)
            left = cluster.map_shared_rank(now, rank - 1)[last];
        if (t < last)
            right = now[t + 1];
        else if (rank < BLOCKS - 1)
            right = cluster.map_shared_rank(now, rank + 1)[0];
        next[t] = 0.25f * (left + 2 * now[t] + right);
        cluster.sync();  // barrier 1: a step is done in all tiles
        float* old = now;
        now = next;
        next = old;
    }
    out[i] = now[t];  // nobody reads another tile any more
}
