// kernel: fill   grid: 1   block: 48
// args: out float32[512] poison
// expect: BarrierDivergence lines=1 threads=32 exited=0 scope=warp
#include <mma.h>
using namespace nvcuda;
using A = wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major>;
using B = wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major>;
using Sum = wmma::fragment<wmma::accumulator, 16, 16, 16, float>;

__global__ void fill(float* out)
{
    Sum sum;
    wmma::fill_fragment(sum, 1.0f);
    wmma::store_matrix_sync(out + threadIdx.x / 32 * 256, sum, 16, wmma::mem_row_major); // (1)
}
