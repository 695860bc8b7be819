// kernel: calculate   grid: 1   block: 64
// args: a float16[64] random, b float16[64] ones, out float16[512] poison
// expect: nothing
// check: out == np.concatenate([a + b, a - b, a * np.float16(0.1), a / np.float16(7), (a.astype(np.float64) * 0.0999755859375 + 3).astype(np.float16), np.sqrt(a), -a, np.maximum(a, np.float16(10))])
#include <cuda_fp16.h>
__global__ void calculate(const __half* a, const half* b, half* out)
{
    __shared__ half tile[64];
    int i = threadIdx.x;
    half tenth = 0.1f, seven = __int2half_rn(7);
    tile[i] = a[i];
    tile[i] += b[i];
    out[i] = tile[i];
    out[64 + i] = a[i] - b[i];
    out[128 + i] = __hmul(a[i], tenth);
    out[192 + i] = a[i] / seven;
    out[256 + i] = __hfma(a[i], tenth, __float2half(3.0f));
    out[320 + i] = hsqrt(a[i]);
    out[384 + i] = -a[i];
    half ten = 10;
    out[448 + i] = a[i] > ten ? a[i] : ten;
}
