// kernel: rounded   grid: 1   block: 64
// args: a float64[64] random, b float64[64] arange, out uint16[3072] poison
// expect: nothing
// check: out == (lambda Q, D: (lambda x, y: np.concatenate([D([Q(p) + Q(q) for p, q in zip(x, y)]), D([Q(p) * Q(q) for p, q in zip(x, y)]), D([Q(p) / Q(q) for p, q in zip(x, y)])]).view(np.uint16))(a * 1.1 + 3, b * 0.7 + 1))(__import__("fractions").Fraction, lambda v: (lambda n, Q: (lambda up, down: np.concatenate([n, down, up, down]))(np.array([np.nextafter(p, np.inf) if Q(p) < q else p for p, q in zip(n, v)]), np.array([np.nextafter(p, -np.inf) if Q(p) > q else p for p, q in zip(n, v)])))(np.array([float(q) for q in v]), __import__("fractions").Fraction))
// Against exact fractions; all operands are positive, so that toward zero is down.
__global__ void rounded(const double* a, const double* b, unsigned short* bits)
{
    double* out = (double*)bits + threadIdx.x;  // (compared as bits: four quarters of a double)
    double x = __dadd_rn(__dmul_rn(a[threadIdx.x], 1.1), 3.0), y = __dadd_rn(__dmul_rn(b[threadIdx.x], 0.7), 1.0);
    const double results[12] = {
        __dadd_rn(x, y), __dadd_rz(x, y), __dadd_ru(x, y), __dadd_rd(x, y),
        __dmul_rn(x, y), __dmul_rz(x, y), __dmul_ru(x, y), __dmul_rd(x, y),
        __ddiv_rn(x, y), __ddiv_rz(x, y), __ddiv_ru(x, y), __ddiv_rd(x, y)};
    for (int i = 0; i < 12; i++) out[64 * i] = results[i];
}
