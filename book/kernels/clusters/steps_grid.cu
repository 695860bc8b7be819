// finds: nothing; without barrier 1: Race
// launch: grid=8, block=32, args=[ramp(256), empty(256), 4, 6]

#include <cooperative_groups.h>
namespace cg = cooperative_groups;

// Any number of steps in one launch. The two buffers take turns; after an
// even number of steps, the result is where the input was.
__global__ void grid_steps(float* now, float* next, int blocks, int steps)
{
    cg::grid_group grid = cg::this_grid();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blocks * blockDim.x, at = i % row;

    for (int step = 0; step < steps; ++step) {
        float left = at > 0 ? now[i - 1] : 0.0f;
        float right = at < row - 1 ? now[i + 1] : 0.0f;
        next[i] = 0.25f * (left + 2 * now[i] + right);
        grid.sync();  // barrier 1: a step is done everywhere
        float* old = now;
        now = next;
        next = old;
    }
}
