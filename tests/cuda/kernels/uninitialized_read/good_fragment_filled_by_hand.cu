// kernel: fill   grid: 1   block: 32
// args: out float32[256] poison
// expect: nothing
// check: out == np.full(256, 3)
#include <mma.h>
using namespace nvcuda;
using A = wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major>;
using B = wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major>;
using Sum = wmma::fragment<wmma::accumulator, 16, 16, 16, float>;

__global__ void fill(float* out)
{
    Sum sum, copy;
    for (int i = 0; i < sum.num_elements; i++) sum.x[i] = 3;
    copy = sum;
    wmma::store_matrix_sync(out, copy, 16, wmma::mem_row_major);
}
