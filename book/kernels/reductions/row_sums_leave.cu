// finds: InvalidWarpMask
// launch: name="row_sums<8>", grid=2, block=64, args=[ramp(13, 5), empty(13), 13, 5]

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;

// As before, for rows of at most LANES elements. Wrong.
template <int LANES>
__global__ void row_sums(const float* in, float* out, int rows, int columns)
{
    auto tile = cg::tiled_partition<LANES>(cg::this_thread_block());
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / LANES;
    int j = tile.thread_rank();
    if (row >= rows || j >= columns) return;

    float sum = cg::reduce(tile, in[row * columns + j], cg::plus<float>());
    if (j == 0) out[row] = sum;
}
