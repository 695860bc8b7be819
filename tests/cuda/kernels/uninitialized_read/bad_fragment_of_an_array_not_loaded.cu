// kernel: multiply   grid: 1   block: 32
// args: a float16[256] random, b float16[256] random, out float32[256] poison
// expect: UninitializedRead lines=1 array=x index=1
#include <mma.h>
using namespace nvcuda;
using A = wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major>;
using B = wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major>;
using Sum = wmma::fragment<wmma::accumulator, 16, 16, 16, float>;

__global__ void multiply(const half* a, const half* b, float* out)
{
    A x[2];
    B y;
    Sum sum;
    wmma::fill_fragment(sum, 0.0f);
    wmma::load_matrix_sync(x[0], a, 16);
    wmma::load_matrix_sync(y, b, 16);
    wmma::mma_sync(sum, x[1], y, sum); // (1)
    wmma::store_matrix_sync(out, sum, 16, wmma::mem_row_major);
}
