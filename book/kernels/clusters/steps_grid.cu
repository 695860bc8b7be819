// finds: nothing; without barrier 1: Race
// launch: grid=3, block=32, args=[ramp(256), empty(256), 128, 256, 6]

#include <cooperative_groups.h>
namespace cg = cooperative_groups;

// Any number of steps of n numbers in one launch, by any number of blocks.
// The two buffers take turns: where the input was, an even number of steps
// leaves its result.
__global__ void grid_steps(float* now, float* next, int row, int n, int steps)
{
    cg::grid_group grid = cg::this_grid();
    int threads = gridDim.x * blockDim.x;

    for (int step = 0; step < steps; ++step) {
        for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += threads) {
            int at = i % row;
            float left = at > 0 ? now[i - 1] : 0.0f;
            float right = at < row - 1 ? now[i + 1] : 0.0f;
            next[i] = 0.25f * (left + 2 * now[i] + right);
        }
        grid.sync();  // barrier 1: a step is done everywhere
        float* old = now;
        now = next;
        next = old;
    }
}
