// kernel: k   grid: 1   block: 32
// args: in float32[40] random
// expect: MisalignedAccess lines=1 width=16 address_mod=8 array=tile action=write
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/barrier>
namespace cg = cooperative_groups;
__global__ void k(const float* in)
{
    __shared__ __align__(16) float tile[40];
    auto block = cg::this_thread_block();
    cg::memcpy_async(block, tile + 2, in, cuda::aligned_size_t<16>(128)); // (1)
    cg::wait(block);
}
