// kernel: k   grid: 1   block: 1
// args: in float32[4] random
// expect: MisalignedAccess lines=1 width=8 address_mod=4 array=in action=read
#include <cuda_pipeline_primitives.h>
__global__ void k(const float* in)
{
    __shared__ __align__(16) float tile[4];
    __pipeline_memcpy_async(tile, in + 1, 8); // (1)
    __pipeline_commit();
    __pipeline_wait_prior(0);
}
