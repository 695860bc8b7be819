%%cuda broken_ring
#include <climits>
#include <cuda/barrier>

using Barrier = cuda::barrier<cuda::thread_scope_block>;

// One block of 96 threads. Warp 0 copies rows of 32 numbers; warp 1 adds up each column, warp 2 finds the largest of each.
__global__ void columns(const int* in, int* sums, int* largest, int n)
{
    __shared__ int ring[2][32];         // row k goes through ring[k % 2]
    __shared__ Barrier full[2], empty[2];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    int rows = (n + 31) / 32;           // the last one may be short

    // Initialize the barriers.
    if (threadIdx.x < 2) {
        init(&full[threadIdx.x], 32);
        init(&empty[threadIdx.x], 32);
    }
    __syncthreads();

    if (warp == 0) {
        for (int k = 0; k < rows; ++k) {
            int s = k % 2, i = 32 * k + lane;
            // Put row k into ring[s].
            empty[s].wait_parity((k / 2 + 1) % 2);
            ring[s][lane] = i < n ? in[i] : 0;
            (void)full[s].arrive();     // also a lane that has no number
        }
    } else {
        int result = warp == 1 ? 0 : INT_MIN;
        for (int k = 0; k < rows; ++k) {
            int s = k % 2, i = 32 * k + 31 - lane;
            // Read a number of row k: ring[s][31 - lane].
            full[s].wait_parity(k / 2 % 2);
            (void)empty[s].arrive();
            int number = ring[s][31 - lane];
            if (i < n)
                result = warp == 1 ? result + number : max(result, number);
        }
        (warp == 1 ? sums : largest)[31 - lane] = result;
    }
}
