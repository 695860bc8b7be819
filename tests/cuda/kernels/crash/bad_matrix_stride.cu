// kernel: load   grid: 1   block: 32
// args: in float16[512] random, out float32[1] poison
// expect: Crash lines=1 reason="matrix stride"
#include <mma.h>
using namespace nvcuda;
using A = wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major>;
using B = wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major>;
using Sum = wmma::fragment<wmma::accumulator, 16, 16, 16, float>;

__global__ void load(const half* in, float* out)
{
    A a;
    // (rows of 40 bytes)
    wmma::load_matrix_sync(a, in, 20); // (1)
    if (threadIdx.x == 0) out[0] = a.x[0];
}
