// kernel: total   grid: 1   block: 64
// args: out int32[64] poison
// expect: CompileError lines=1 message=cg::reduce
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
__global__ void total(int* out)
{
    auto block = cg::this_thread_block();
    out[threadIdx.x] = cg::reduce(block, 1, cg::plus<int>()); // (1)
}
