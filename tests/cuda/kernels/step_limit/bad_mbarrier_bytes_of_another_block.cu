// kernel: share   grid: 2   block: 32
// args: in float32[32] random, out float32[64] poison
// expect: StepLimit reason=spin array=bar expected=1 missing=0 missing_bytes=128
__device__ unsigned at(const void* shared) { return __cvta_generic_to_shared(shared); }
__device__ void make(unsigned long long* bar, int count)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" :: "r"(at(bar)), "r"(count) : "memory");
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}
__device__ void expect(unsigned long long* bar, int bytes)
{
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" :: "r"(at(bar)), "r"(bytes) : "memory");
}
__device__ void wait(unsigned long long* bar, int parity)
{
    asm volatile("{ .reg .pred open; AGAIN: mbarrier.try_wait.parity.shared::cta.b64 open, [%0], %1; @!open bra AGAIN; }"
                 :: "r"(at(bar)), "r"(parity) : "memory");
}
#include <cooperative_groups.h>
// Both blocks expect the bytes, and one gets them.
__global__ void __cluster_dims__(2, 1, 1) share(const float* in, float* out)
{
    __shared__ alignas(16) float tile[32];
    __shared__ unsigned long long bar;
    auto cluster = cooperative_groups::this_cluster();
    int t = threadIdx.x;
    if (t == 0) make(&bar, 1);
    cluster.sync();
    if (t == 0) {
        expect(&bar, sizeof tile);
        if (cluster.block_rank() == 0)
            asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1], %2, [%3], %4;"
                         :: "r"(at(tile)), "l"(in), "n"(128), "r"(at(&bar)), "h"((unsigned short)1) : "memory");
    }
    wait(&bar, 0);
    out[blockIdx.x * 32 + t] = tile[31 - t];
    cluster.sync();
}
