// finds: BarrierDivergence
// launch: grid=4, block=32, args=[ramp(128), empty(4)]

#include <cooperative_groups.h>
namespace cg = cooperative_groups;

// The first number of each block goes to the first block of the cluster.
__global__ void __cluster_dims__(4, 1, 1)
    collect(const float* in, float* out)
{
    __shared__ float firsts[4];
    cg::cluster_group cluster = cg::this_cluster();
    int rank = cluster.block_rank();

    cluster.sync();  // all four blocks have begun
    if (threadIdx.x == 0) {
        float* there = cluster.map_shared_rank(firsts, 0);
        there[rank] = in[blockIdx.x * blockDim.x];
        cluster.sync();  // all four numbers are there
        if (rank == 0)
            for (int k = 0; k < 4; ++k)
                out[k] = firsts[k];
    }
}
