// kernel: store   grid: 1   block: 64
// args: out float32[512] poison
// expect: Race lines=1,1 array=out hazard=write-after-write
#include <mma.h>
using namespace nvcuda;
using A = wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major>;
using B = wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major>;
using Sum = wmma::fragment<wmma::accumulator, 16, 16, 16, float>;

__global__ void store(float* out)
{
    Sum sum;
    wmma::fill_fragment(sum, float(threadIdx.x / 32));
    wmma::store_matrix_sync(out + threadIdx.x / 32 * 16, sum, 16, wmma::mem_row_major); // (1)
}
