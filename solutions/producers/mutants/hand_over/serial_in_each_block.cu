// rejected by: shares_the_work
// One thread does it all, and waits for nobody.
#include <cuda/barrier>

__global__ void hand_over(const int* in, int* out, int rounds)
{
    __shared__ int slot[32];
    const int* rows = in + blockIdx.x * rounds * 32;
    if (threadIdx.x == 0) {
        int sum[32] = {};
        for (int k = 0; k < rounds; ++k) {
            for (int lane = 0; lane < 32; ++lane)
                slot[lane] = rows[32 * k + lane];
            for (int lane = 0; lane < 32; ++lane)
                sum[lane] += k % 2 ? -slot[31 - lane] : slot[31 - lane];
        }
        for (int lane = 0; lane < 32; ++lane)
            out[32 * blockIdx.x + lane] = sum[lane];
    }
}
