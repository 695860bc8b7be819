// finds: nothing
// launch: grid=1, block=32, args=[numbers("float16", 16, 16), numbers("float16", 16, 16), empty(16, 16)]

#include <mma.h>
using namespace nvcuda;

// C = A B, each of 16 x 16 elements, by one warp.
__global__ void one_product(const half* A, const half* B, float* C)
{
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> b;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
    wmma::fill_fragment(sum, 0.0f);
    wmma::load_matrix_sync(a, A, 16);
    wmma::load_matrix_sync(b, B, 16);
    wmma::mma_sync(sum, a, b, sum);
    wmma::store_matrix_sync(C, sum, 16, wmma::mem_row_major);
}
