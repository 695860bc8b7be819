%%cuda cluster_halo
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

// Smooths each row of 4 * blockDim.x numbers steps times (at least once). A cluster of four blocks has a row.
__global__ void __cluster_dims__(4, 1, 1) smooth_rows(const float* in, float* out, int steps)
{
    extern __shared__ float tile[];             // this block's quarter of the row
    cg::cluster_group cluster = cg::this_cluster();
    int t = threadIdx.x, last = blockDim.x - 1;
    int rank = cluster.block_rank();
    int i = blockIdx.x * blockDim.x + t;

    // Place A
// none
    tile[t] = in[i];

    // Place B
cluster.sync();
    for (int step = 1; ; ++step) {
        float left = 0.0f, right = 0.0f;
        if (t > 0)
            left = tile[t - 1];
        else if (rank > 0) {
            // Place C
// none
            left = cluster.map_shared_rank(tile, rank - 1)[last];
        }
        if (t < last)
            right = tile[t + 1];
        else if (rank < 3)
            right = cluster.map_shared_rank(tile, rank + 1)[0];
        float smooth = 0.25f * (left + 2 * tile[t] + right);

        if (step == steps) {
            out[i] = smooth;
            break;
        }
        // Place D
__syncthreads();
        tile[t] = smooth;

        // Place E
__syncthreads();
    }

    // Place F
cluster.sync();
}
