// kernel: pass   grid: 1   block: 32
// args: out float32[32] poison
// expect: CompileError lines=1 message=32
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
struct Row { float values[16]; };
__global__ void pass(float* out)
{
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    Row row = {};
    row = warp.shfl(row, 0);                      // (1)
    out[threadIdx.x] = row.values[0];
}
