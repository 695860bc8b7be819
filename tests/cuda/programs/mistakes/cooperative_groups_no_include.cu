// line 2: cooperative_groups needs #include <cooperative_groups.h> at the top of the file
namespace cg = cooperative_groups;

__global__ void block_sum(const int* in, int* out)
{
    cg::thread_block block = cg::this_thread_block();
    __shared__ int s[128];
    int t = block.thread_rank();
    s[t] = in[blockIdx.x * 128 + t];
    block.sync();
    for (int d = 64; d > 0; d /= 2) {
        if (t < d) s[t] += s[t + d];
        block.sync();
    }
    if (t == 0) out[blockIdx.x] = s[0];
}
