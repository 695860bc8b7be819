// kernel: rounded   grid: 1   block: 64
// args: a float32[64] random, b float32[64] arange, out uint16[3072] poison
// expect: nothing
// check: out == (lambda L, F, D: (lambda x, y, z: np.concatenate([D(x + y), D(x - y), D(x * y), D(x / y), D(np.sqrt(y)), D(x * y + z)]).view(np.uint16))(L(a * F(1.1) + F(3)), L(b * F(0.7) + F(1)), L(a * F(0.013))))(np.longdouble, np.float32, lambda v: (lambda n: (lambda up, down: np.concatenate([n, np.where(v < 0, up, down), up, down]))(np.where(n < v, np.nextafter(n, np.float32(np.inf)), n), np.where(n > v, np.nextafter(n, np.float32(-np.inf)), n)))(v.astype(np.float32)))
// The exact results are known in the wider type: each mode must give the float that lies on its side of them.
__global__ void rounded(const float* a, const float* b, unsigned short* bits)
{
    float* out = (float*)bits + threadIdx.x;  // (compared as bits: two halves of a float)
    float x = __fadd_rn(__fmul_rn(a[threadIdx.x], 1.1f), 3.0f), y = __fadd_rn(__fmul_rn(b[threadIdx.x], 0.7f), 1.0f);
    float z = __fmul_rn(a[threadIdx.x], 0.013f);
    const float results[24] = {
        __fadd_rn(x, y), __fadd_rz(x, y), __fadd_ru(x, y), __fadd_rd(x, y),
        __fsub_rn(x, y), __fsub_rz(x, y), __fsub_ru(x, y), __fsub_rd(x, y),
        __fmul_rn(x, y), __fmul_rz(x, y), __fmul_ru(x, y), __fmul_rd(x, y),
        __fdiv_rn(x, y), __fdiv_rz(x, y), __fdiv_ru(x, y), __fdiv_rd(x, y),
        __fsqrt_rn(y), __fsqrt_rz(y), __fsqrt_ru(y), __fsqrt_rd(y),
        __fmaf_rn(x, y, z), __fmaf_rz(x, y, z), __fmaf_ru(x, y, z), __fmaf_rd(x, y, z)};
    for (int i = 0; i < 24; i++) out[64 * i] = results[i];
}
