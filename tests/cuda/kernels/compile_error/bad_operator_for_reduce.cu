// kernel: total   grid: 1   block: 32
// args: out int32[32] poison
// expect: CompileError lines=1 message="('Pair'"
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
struct Pair { int a, b; };
__global__ void total(int* out)
{
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    Pair pair = {1, 2};
    pair = cg::reduce(warp, pair, cg::plus<Pair>()); // (1)
    out[threadIdx.x] = pair.a;
}
