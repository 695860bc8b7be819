// rejected by: shares_the_work
// "One thread of each block does it all: then nobody comes in its way."
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

// Smooths each row of 4 * blockDim.x numbers steps times (at least once). A cluster of four blocks has a row.
__global__ void __cluster_dims__(4, 1, 1) smooth_rows(const float* in, float* out, int steps)
{
    extern __shared__ float tile[];             // this block's quarter of the row
    cg::cluster_group cluster = cg::this_cluster();
    int n = blockDim.x, first = blockIdx.x * n, rank = cluster.block_rank();
    bool works = threadIdx.x == 0;

    for (int t = 0; works && t < n; ++t)
        tile[t] = in[first + t];
    cluster.sync();
    for (int step = 1; step <= steps; ++step) {
        float left = 0.0f, right = 0.0f;
        if (works && rank > 0)
            left = cluster.map_shared_rank(tile, rank - 1)[n - 1];
        if (works && rank < 3)
            right = cluster.map_shared_rank(tile, rank + 1)[0];
        cluster.sync();
        for (int t = 0; works && t < n; ++t) {
            float own = tile[t], next = t < n - 1 ? tile[t + 1] : right;
            float smooth = 0.25f * (left + 2 * own + next);
            tile[t] = smooth;
            left = own;
            if (step == steps)
                out[first + t] = smooth;
        }
        cluster.sync();
    }
}
