// finds: nothing
// launch: grid=1, block=32, args=[empty(3)]

#include <mma.h>
using namespace nvcuda;

// out: how far 16-bit and 32-bit sums get when 1 is added 4096 times; and
// what TF32 makes of 1 + 1/4096.
__global__ void two_sums(float* out)
{
    __shared__ __align__(32) half halves[256];
    __shared__ __align__(32) float floats[256];
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> b;
    wmma::fragment<wmma::accumulator, 16, 16, 16, half> of_16_bits;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> of_32_bits;
    // Each step adds 16 products of 1/16.
    wmma::fill_fragment(a, __float2half(1.0f / 16));
    wmma::fill_fragment(b, __float2half(1.0f));
    wmma::fill_fragment(of_16_bits, __float2half(0.0f));
    wmma::fill_fragment(of_32_bits, 0.0f);
    for (int i = 0; i < 4096; ++i) {
        wmma::mma_sync(of_16_bits, a, b, of_16_bits);
        wmma::mma_sync(of_32_bits, a, b, of_32_bits);
    }
    wmma::store_matrix_sync(halves, of_16_bits, 16, wmma::mem_row_major);
    wmma::store_matrix_sync(floats, of_32_bits, 16, wmma::mem_row_major);
    __syncwarp();
    if (threadIdx.x == 0) {
        out[0] = __half2float(halves[0]);
        out[1] = floats[0];
        out[2] = wmma::__float_to_tf32(1.0f + 1.0f / 4096);
    }
}
