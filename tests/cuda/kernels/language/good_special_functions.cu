// kernel: special   grid: 1   block: 32
// args: in float64[32] arange, out float64[576] poison
// expect: nothing
// check: out == (lambda x, m, v: np.concatenate([v(lambda t: 0.5 * m.erfc(-t / 2**0.5), 4 * x - 2), 4 * x - 2, 0.9 * x, 1 - x, v(m.erf, x) * 0 + np.exp(x * x) * v(m.erfc, x), np.sin(np.pi * x), np.cos(np.pi * x), x ** (1 / 3), 1 / np.sqrt(x), 1 / np.cbrt(x), np.sqrt(x * x + 5), 1 / np.sqrt(x * x + 9 + 2), np.i0(5 * x), v(m.lgamma, x), v(m.gamma, x), 10 ** x, np.log1p(x), np.hypot(x, 3)]))(in_ / 40 + 0.11, __import__("math"), lambda f, t: np.array([f(u) for u in t]))
__global__ void special(const double* in, double* out)
{
    double x = in[threadIdx.x] / 40 + 0.11;
    const double results[18] = {
        normcdf(4 * x - 2), normcdfinv(normcdf(4 * x - 2)), erfinv(erf(0.9 * x)), erfcinv(erfc(1 - x)), erfcx(x), sinpi(x), cospi(x),
        cbrt(x), rsqrt(x), rcbrt(x), norm3d(x, 1.0, 2.0), rnorm4d(x, 1.0, 1.0, 3.0), cyl_bessel_i0(5 * x), lgamma(x), tgamma(x),
        exp10(x), log1p(x), hypot(x, 3.0)};
    for (int i = 0; i < 18; i++) out[32 * i + threadIdx.x] = results[i];
}
