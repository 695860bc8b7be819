// kernel: fill   grid: 1   block: 32
// args: out float32[256] poison, n int32 30
// expect: BarrierDivergence lines=1 threads=32 exited=2
#include <mma.h>
using namespace nvcuda;
using A = wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major>;
using B = wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major>;
using Sum = wmma::fragment<wmma::accumulator, 16, 16, 16, float>;

__global__ void fill(float* out, int n)
{
    if (threadIdx.x >= n) return;
    Sum sum;
    wmma::fill_fragment(sum, 1.0f);
    wmma::store_matrix_sync(out, sum, 16, wmma::mem_row_major); // (1)
}
