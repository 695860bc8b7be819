// rejected by: uses_between_warps
// Each reading warp fills the slots itself.
#include <climits>
__global__ void columns(const int* in, int* sums, int* largest, int n)
{
    __shared__ int ring[2][32];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    int rows = (n + 31) / 32;
    if (warp > 0) {
        int result = warp == 1 ? 0 : INT_MIN;
        for (int k = 0; k < rows; ++k) {
            int i = 32 * k + 31 - lane;
            if (32 * k + lane < n) ring[warp - 1][lane] = in[32 * k + lane];
            __syncwarp();
            if (i < n) {
                int number = ring[warp - 1][31 - lane];
                result = warp == 1 ? result + number : max(result, number);
            }
            __syncwarp();
        }
        (warp == 1 ? sums : largest)[31 - lane] = result;
    }
}
