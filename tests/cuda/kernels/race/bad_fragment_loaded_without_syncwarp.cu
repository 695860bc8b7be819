// kernel: load   grid: 1   block: 32
// args: in float32[256] random, out float32[256] poison
// expect: Race lines=1,2 array=tile hazard=read-after-write
#include <mma.h>
using namespace nvcuda;
using A = wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major>;
using B = wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major>;
using Sum = wmma::fragment<wmma::accumulator, 16, 16, 16, float>;

__global__ void load(const float* in, float* out)
{
    __shared__ float tile[256];
    for (int i = threadIdx.x; i < 256; i += 32) tile[i] = in[i]; // (1)
    Sum sum;
    wmma::load_matrix_sync(sum, tile, 16, wmma::mem_row_major); // (2)
    wmma::store_matrix_sync(out, sum, 16, wmma::mem_row_major);
}
