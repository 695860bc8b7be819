// finds: nothing
// launch: name="row_sums<8>", grid=2, block=64, args=[ramp(13, 20), empty(13), 13, 20]

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;

// The sum of each row of a matrix: LANES lanes for each row.
template <int LANES>
__global__ void row_sums(const float* in, float* out, int rows, int columns)
{
    auto tile = cg::tiled_partition<LANES>(cg::this_thread_block());
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / LANES;
    if (row >= rows) return;  // a tile leaves as a whole

    float sum = 0;
    for (int j = tile.thread_rank(); j < columns; j += LANES)
        sum += in[row * columns + j];

    sum = cg::reduce(tile, sum, cg::plus<float>());
    if (tile.thread_rank() == 0) out[row] = sum;
}
