// kernel: multiply   grid: 1   block: 32
// args: a float16[256] random, b float16[256] random, out float32[256] poison
// expect: BarrierDivergence between=1,2 threads=32
#include <mma.h>
using namespace nvcuda;
using A = wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major>;
using B = wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major>;
using Sum = wmma::fragment<wmma::accumulator, 16, 16, 16, float>;

__global__ void multiply(const half* a, const half* b, float* out)
{
    A x;
    B y;
    Sum sum;
    wmma::fill_fragment(sum, 0.0f);
    wmma::load_matrix_sync(x, a, 16);
    wmma::load_matrix_sync(y, b, 16);
    if (threadIdx.x % 2) wmma::mma_sync(sum, x, y, sum); // (1)
    else wmma::mma_sync(sum, x, y, sum); // (2)
    wmma::store_matrix_sync(out, sum, 16, wmma::mem_row_major);
}
