// rejected by: barriers_at_most
// Everyone waits for everyone, twice in each round.
#include <cuda/barrier>

// The barriers of the block do it as well, if no branch is around them. All 64 threads wait twice in each round.
__global__ void hand_over(const int* in, int* out, int rounds)
{
    __shared__ int slot[32];
    int lane = threadIdx.x % 32;
    const int* rows = in + blockIdx.x * rounds * 32;
    int sum = 0;
    for (int k = 0; k < rounds; ++k) {
        if (threadIdx.x < 32)
            slot[lane] = rows[32 * k + lane];
        __syncthreads();
        if (threadIdx.x >= 32)
            sum += k % 2 ? -slot[31 - lane] : slot[31 - lane];
        __syncthreads();
    }
    if (threadIdx.x >= 32)
        out[32 * blockIdx.x + lane] = sum;
}
