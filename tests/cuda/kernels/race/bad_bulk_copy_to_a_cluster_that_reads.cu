// kernel: share   grid: 4   block: 32
// args: in float32[128] random, out float32[128] poison
// expect: Race between=1,2 array=tile scope=cluster
// expect: Race lines=1,1 array=tile
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
// The other block may still read the first tile when the second one is copied over it.
__global__ void __cluster_dims__(2, 1, 1) share(const float* in, float* out)
{
    __shared__ alignas(16) float tile[32];
    __shared__ unsigned long long full[2];
    auto cluster = cooperative_groups::this_cluster();
    int t = threadIdx.x, rank = cluster.block_rank();
    if (t == 0) make(&full[0], 1), make(&full[1], 1);
    cluster.sync();
    float sum = 0.0f;
    for (int round = 0; round < 2; ++round) {
        if (t == 0) {
            expect(&full[round], sizeof tile);
            if (rank == 0)
                asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1], %2, [%3], %4;" :: "r"(at(tile)), "l"(in + 32 * round), "n"(128), "r"(at(&full[round])), "h"((unsigned short)3) : "memory"); // (1)
        }
        wait(&full[round], 0);
        sum += tile[31 - t];                      // (2)
        __syncthreads();
    }
    out[blockIdx.x * 32 + t] = sum;
    cluster.sync();
}
