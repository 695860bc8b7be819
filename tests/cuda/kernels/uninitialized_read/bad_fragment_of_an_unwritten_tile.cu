// kernel: load   grid: 1   block: 32
// args: out float32[256] poison
// expect: UninitializedRead lines=1 array=tile
#include <mma.h>
using namespace nvcuda;
using A = wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major>;
using B = wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major>;
using Sum = wmma::fragment<wmma::accumulator, 16, 16, 16, float>;

__global__ void load(float* out)
{
    __shared__ float tile[256];
    for (int i = threadIdx.x; i < 240; i += 32) tile[i] = i;
    __syncwarp();
    Sum sum;
    wmma::load_matrix_sync(sum, tile, 16, wmma::mem_row_major); // (1)
    wmma::store_matrix_sync(out, sum, 16, wmma::mem_row_major);
}
