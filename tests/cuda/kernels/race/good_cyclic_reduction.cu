// kernel: solve   grid: 1   block: 32
// args: d float64[32] random, x float64[32] poison
// expect: nothing
// check: x == np.linalg.solve(4 * np.eye(32) + np.eye(32, k=1) + np.eye(32, k=-1), d)
// Parallel cyclic reduction of a tridiagonal system: diagonal 4, its neighbors 1.
__global__ void solve(const double* d, double* x)
{
    __shared__ double a[32], b[32], c[32], r[32];
    int t = threadIdx.x;
    a[t] = t > 0 ? 1.0 : 0.0;
    b[t] = 4.0;
    c[t] = t < 31 ? 1.0 : 0.0;
    r[t] = d[t];
    __syncthreads();
    for (int h = 1; h < 32; h *= 2) {
        double na = 0, nb = b[t], nc = 0, nr = r[t];
        if (t >= h) {
            double k = a[t] / b[t - h];
            na = -a[t - h] * k;
            nb -= c[t - h] * k;
            nr -= r[t - h] * k;
        }
        if (t + h < 32) {
            double k = c[t] / b[t + h];
            nc = -c[t + h] * k;
            nb -= a[t + h] * k;
            nr -= r[t + h] * k;
        }
        __syncthreads();  // all have read the old rows
        a[t] = na;
        b[t] = nb;
        c[t] = nc;
        r[t] = nr;
        __syncthreads();  // and all have written the new ones
    }
    x[t] = r[t] / b[t];
}
