// kernel: two_phases   grid: 4   block: 32
// args: data int32[128] zeros, out int32[128] poison
// expect: nothing
// check: out == np.arange(128)[::-1]
#include <cooperative_groups.h>
__global__ void two_phases(int* data, int* out)
{
    int i = blockIdx.x * 32 + threadIdx.x;
    data[i] = i;
    cooperative_groups::this_grid().sync();  // every block has written
    out[i] = data[127 - i];
}
