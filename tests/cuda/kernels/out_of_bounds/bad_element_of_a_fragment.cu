// kernel: fill   grid: 1   block: 32
// args: out float32[256] poison
// expect: OutOfBounds lines=1 array=sum
#include <mma.h>
using namespace nvcuda;
using A = wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major>;
using B = wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major>;
using Sum = wmma::fragment<wmma::accumulator, 16, 16, 16, float>;

__global__ void fill(float* out)
{
    Sum sum;
    for (int i = 0; i <= sum.num_elements; i++) sum.x[i] = 1; // (1)
    wmma::store_matrix_sync(out, sum, 16, wmma::mem_row_major);
}
