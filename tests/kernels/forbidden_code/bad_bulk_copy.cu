// kernel: fetch   grid: 1   block: 32
// args: in float32[32] random, out float32[32] poison
// expect: ForbiddenCode lines=1 construct=cp_async_bulk_global_to_shared reason=unsupported
#include <cuda/barrier>
namespace cde = cuda::device::experimental;
__global__ void fetch(const float* in, float* out)
{
    __shared__ alignas(16) float tile[32];
    __shared__ cuda::barrier<cuda::thread_scope_block> bar;
    cde::cp_async_bulk_global_to_shared(tile, in, sizeof tile, bar); // (1)
    out[threadIdx.x] = tile[threadIdx.x];
}
