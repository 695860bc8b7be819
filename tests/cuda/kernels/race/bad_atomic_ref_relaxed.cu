// kernel: handover   grid: 4   block: 64
// args: in int32[256] random, part int32[4] poison, done uint32[1] zeros, out int32[1] poison
// expect: Race lines=1,2 array=part hazard=read-after-write scope=grid
#include <cuda/atomic>
// The last block adds up: a relaxed count orders nothing.
__global__ void handover(const int* in, int* part, unsigned* done, int* out)
{
    __shared__ int sum;
    if (threadIdx.x == 0) sum = 0;
    __syncthreads();
    cuda::atomic_ref<int, cuda::thread_scope_block> in_block(sum);
    in_block.fetch_add(in[blockIdx.x * blockDim.x + threadIdx.x], cuda::std::memory_order_relaxed);
    __syncthreads();
    if (threadIdx.x == 0) {
        part[blockIdx.x] = sum;                   // (1)
        cuda::atomic_ref<unsigned, cuda::thread_scope_device> count(*done);
        if (count.fetch_add(1, cuda::memory_order_relaxed) == gridDim.x - 1) {
            int all = 0;
            for (int b = 0; b < gridDim.x; b++) all += part[b]; // (2)
            *out = all;
        }
    }
}
