// kernel: pairs   grid: 1   block: 32
// args: a float16[64] random, b float16[64] random, out float16[256] poison, dots float32[32] poison, products float16[64] poison
// expect: nothing
// check: out == np.concatenate([a + b, a * b, (a.astype(np.float64) * b + 1).astype(np.float16), a.reshape(32, 2)[:, ::-1].ravel()])
// check: products == (lambda a, b: np.stack([np.float16(a[0] * b[0] + 1) - a[1] * b[1], np.float16(a[0] * b[1] + 1) + a[1] * b[0]], 1).astype(np.float16))(a.astype(np.float64).reshape(32, 2).T, b.astype(np.float64).reshape(32, 2).T)
// check: dots == (a.astype(np.float32) * b).reshape(32, 2).sum(axis=1)
#include <cuda_fp16.h>
__global__ void pairs(const __half2* a, const half2* b, half2* out, float* dots, half2* products)
{
    int i = threadIdx.x;
    half2 one = __float2half2_rn(1.0f);
    out[i] = __hadd2(a[i], b[i]);
    out[32 + i] = a[i] * b[i];
    out[64 + i] = __hfma2(a[i], b[i], one);
    out[96 + i] = __lowhigh2highlow(a[i]);
    products[i] = __hcmadd(a[i], b[i], one);  // of complex numbers
    float2 x = __half22float2(a[i]), y = __half22float2(b[i]);
    dots[i] = x.x * y.x + x.y * y.y;
    if (!__hbge2(a[i], __floats2half2_rn(0.0f, 0.0f)) || __high2float(a[i]) != __half2float(a[i].y)) dots[i] = -1.0f;
}
