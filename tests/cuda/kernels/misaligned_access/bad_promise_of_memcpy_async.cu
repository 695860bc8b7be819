// kernel: k   grid: 1   block: 1
// args: in float32[8] random
// expect: MisalignedAccess lines=1 width=16 address_mod=4 array=in action=read
#include <cuda/pipeline>
__global__ void k(const float* in)
{
    __shared__ __align__(16) float tile[4];
    auto pipe = cuda::make_pipeline();
    pipe.producer_acquire();
    cuda::memcpy_async(tile, in + 1, cuda::aligned_size_t<16>(16), pipe); // (1)
    pipe.producer_commit();
    pipe.consumer_wait();
    pipe.consumer_release();
}
