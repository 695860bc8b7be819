// kernel: pass   grid: 1   block: 32
// args: out float64[96] poison
// expect: nothing
// check: out == np.stack([np.roll(np.arange(32), -1), np.roll(np.arange(32), -1) / 2, -np.roll(np.arange(32.0), -1)], axis=1).ravel()
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
struct Point { double x, y, z; };
__global__ void pass(double* out)
{
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    double i = warp.thread_rank();
    Point mine = {i, i / 2, -i};
    Point next = warp.shfl(mine, warp.thread_rank() + 1);
    out[3 * threadIdx.x] = next.x;
    out[3 * threadIdx.x + 1] = next.y;
    out[3 * threadIdx.x + 2] = next.z;
}
