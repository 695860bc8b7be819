// kernel: fill   grid: 1   block: 32
// args: out float32[64] poison
// expect: CompileError lines=1 message=fragment
#include <mma.h>
using namespace nvcuda;
using A = wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major>;
using B = wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major>;
using Sum = wmma::fragment<wmma::accumulator, 16, 16, 16, float>;

__global__ void fill(float* out)
{
    wmma::fragment<wmma::accumulator, 8, 8, 16, float> sum; // (1)
    wmma::fill_fragment(sum, 1.0f);
    wmma::store_matrix_sync(out, sum, 8, wmma::mem_row_major);
}
